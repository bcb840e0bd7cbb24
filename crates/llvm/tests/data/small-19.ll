; ModuleID = 'programs/small.cpp'
source_filename = "programs/small.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%class.anon = type { i32 }
%struct.Derived = type { %struct.Base, i8, ptr }
%struct.Base = type { i32 }

$_ZN7DerivedC2ERi = comdat any

$_ZNK7DerivedplEi = comdat any

$_Z9factorialILi5EEiv = comdat any

$_ZN4BaseC2Ev = comdat any

$_Z9factorialILi4EEiv = comdat any

$_Z9factorialILi3EEiv = comdat any

$_Z9factorialILi2EEiv = comdat any

$_Z9factorialILi1EEiv = comdat any

@_ZN4Base9instancesE = dso_local global i32 3, align 4
@_ZN12_GLOBAL__N_16hiddenE = internal global i32 2, align 4

; Function Attrs: mustprogress noinline norecurse uwtable
define dso_local noundef i32 @main() #0 {
entry:
  %retval = alloca i32, align 4
  %add = alloca %class.anon, align 4
  %d = alloca %struct.Derived, align 8
  store i32 0, ptr %retval, align 4
  %0 = getelementptr inbounds %class.anon, ptr %add, i32 0, i32 0
  %1 = load i32, ptr @_ZN12_GLOBAL__N_16hiddenE, align 4
  store i32 %1, ptr %0, align 4
  call void @_ZN7DerivedC2ERi(ptr noundef nonnull align 8 dereferenceable(16) %d, ptr noundef nonnull align 4 dereferenceable(4) @_ZN12_GLOBAL__N_16hiddenE)
  %call = call noundef i32 @"_ZZ4mainENK3$_0clIiEEDaT_"(ptr noundef nonnull align 4 dereferenceable(4) %add, i32 noundef 3)
  %call1 = call noundef i32 @_ZNK7DerivedplEi(ptr noundef nonnull align 8 dereferenceable(16) %d, i32 noundef %call)
  %call2 = call noundef i32 @_Z9factorialILi5EEiv()
  %add3 = add nsw i32 %call1, %call2
  %color = getelementptr inbounds %struct.Derived, ptr %d, i32 0, i32 1
  %2 = load i8, ptr %color, align 4
  %cmp = icmp eq i8 %2, 0
  %conv = zext i1 %cmp to i32
  %add4 = add nsw i32 %add3, %conv
  %3 = load i32, ptr @_ZN4Base9instancesE, align 4
  %add5 = add nsw i32 %add4, %3
  ret i32 %add5
}

; Function Attrs: mustprogress noinline nounwind uwtable
define linkonce_odr dso_local void @_ZN7DerivedC2ERi(ptr noundef nonnull align 8 dereferenceable(16) %this, ptr noundef nonnull align 4 dereferenceable(4) %r) unnamed_addr #1 comdat align 2 {
entry:
  %this.addr = alloca ptr, align 8
  %r.addr = alloca ptr, align 8
  store ptr %this, ptr %this.addr, align 8
  store ptr %r, ptr %r.addr, align 8
  %this1 = load ptr, ptr %this.addr, align 8
  call void @_ZN4BaseC2Ev(ptr noundef nonnull align 4 dereferenceable(4) %this1) #3
  %color = getelementptr inbounds %struct.Derived, ptr %this1, i32 0, i32 1
  store i8 7, ptr %color, align 4
  %reference = getelementptr inbounds %struct.Derived, ptr %this1, i32 0, i32 2
  %0 = load ptr, ptr %r.addr, align 8
  store ptr %0, ptr %reference, align 8
  ret void
}

; Function Attrs: mustprogress noinline nounwind uwtable
define linkonce_odr dso_local noundef i32 @_ZNK7DerivedplEi(ptr noundef nonnull align 8 dereferenceable(16) %this, i32 noundef %o) #1 comdat align 2 {
entry:
  %this.addr = alloca ptr, align 8
  %o.addr = alloca i32, align 4
  store ptr %this, ptr %this.addr, align 8
  store i32 %o, ptr %o.addr, align 4
  %this1 = load ptr, ptr %this.addr, align 8
  %b = getelementptr inbounds %struct.Base, ptr %this1, i32 0, i32 0
  %0 = load i32, ptr %b, align 8
  %1 = load i32, ptr %o.addr, align 4
  %add = add nsw i32 %0, %1
  ret i32 %add
}

; Function Attrs: mustprogress noinline nounwind uwtable
define internal noundef i32 @"_ZZ4mainENK3$_0clIiEEDaT_"(ptr noundef nonnull align 4 dereferenceable(4) %this, i32 noundef %x) #1 align 2 {
entry:
  %this.addr = alloca ptr, align 8
  %x.addr = alloca i32, align 4
  store ptr %this, ptr %this.addr, align 8
  store i32 %x, ptr %x.addr, align 4
  %this1 = load ptr, ptr %this.addr, align 8
  %0 = load i32, ptr %x.addr, align 4
  %1 = getelementptr inbounds %class.anon, ptr %this1, i32 0, i32 0
  %2 = load i32, ptr %1, align 4
  %add = add nsw i32 %0, %2
  ret i32 %add
}

; Function Attrs: mustprogress noinline uwtable
define linkonce_odr dso_local noundef i32 @_Z9factorialILi5EEiv() #2 comdat {
entry:
  %call = call noundef i32 @_Z9factorialILi4EEiv()
  %mul = mul nsw i32 5, %call
  ret i32 %mul
}

; Function Attrs: mustprogress noinline nounwind uwtable
define linkonce_odr dso_local void @_ZN4BaseC2Ev(ptr noundef nonnull align 4 dereferenceable(4) %this) unnamed_addr #1 comdat align 2 {
entry:
  %this.addr = alloca ptr, align 8
  store ptr %this, ptr %this.addr, align 8
  %this1 = load ptr, ptr %this.addr, align 8
  %b = getelementptr inbounds %struct.Base, ptr %this1, i32 0, i32 0
  store i32 1, ptr %b, align 4
  ret void
}

; Function Attrs: mustprogress noinline uwtable
define linkonce_odr dso_local noundef i32 @_Z9factorialILi4EEiv() #2 comdat {
entry:
  %call = call noundef i32 @_Z9factorialILi3EEiv()
  %mul = mul nsw i32 4, %call
  ret i32 %mul
}

; Function Attrs: mustprogress noinline uwtable
define linkonce_odr dso_local noundef i32 @_Z9factorialILi3EEiv() #2 comdat {
entry:
  %call = call noundef i32 @_Z9factorialILi2EEiv()
  %mul = mul nsw i32 3, %call
  ret i32 %mul
}

; Function Attrs: mustprogress noinline uwtable
define linkonce_odr dso_local noundef i32 @_Z9factorialILi2EEiv() #2 comdat {
entry:
  %call = call noundef i32 @_Z9factorialILi1EEiv()
  %mul = mul nsw i32 2, %call
  ret i32 %mul
}

; Function Attrs: mustprogress noinline nounwind uwtable
define linkonce_odr dso_local noundef i32 @_Z9factorialILi1EEiv() #1 comdat {
entry:
  ret i32 1
}

attributes #0 = { mustprogress noinline norecurse uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress noinline uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
