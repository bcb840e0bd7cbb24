; ModuleID = 'programs/sync.c'
source_filename = "programs/sync.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@x = dso_local global i32 0, align 4
@l = dso_local global i64 0, align 8
@p = dso_local global i32* null, align 8
@c = dso_local global i8 0, align 1

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #0 {
entry:
  %retval = alloca i32, align 4
  %r = alloca i32, align 4
  %.atomictmp = alloca i8, align 1
  %.atomictmp9 = alloca i64, align 8
  %atomic-temp = alloca i64, align 8
  %atomic-temp10 = alloca i8, align 1
  %old = alloca i32, align 4
  %cmpxchg.bool = alloca i8, align 1
  %.atomictmp16 = alloca i32, align 4
  %atomic-temp17 = alloca i32, align 4
  store i32 0, i32* %retval, align 4
  fence seq_cst
  %0 = atomicrmw add i32* @x, i32 1 seq_cst, align 4
  %conv = sext i32 %0 to i64
  %1 = atomicrmw add i64* @l, i64 2 seq_cst, align 8
  %2 = add i64 %1, 2
  %add = add nsw i64 %conv, %2
  %3 = cmpxchg i32* @x, i32 1, i32 2 seq_cst seq_cst, align 4
  %4 = extractvalue { i32, i1 } %3, 1
  %conv1 = zext i1 %4 to i64
  %add2 = add nsw i64 %add, %conv1
  %conv3 = trunc i64 %add2 to i32
  store i32 %conv3, i32* %r, align 4
  %5 = cmpxchg i64* bitcast (i32** @p to i64*), i64 0, i64 ptrtoint (i32* @x to i64) seq_cst seq_cst, align 8
  %6 = extractvalue { i64, i1 } %5, 0
  %7 = inttoptr i64 %6 to i32*
  %cmp = icmp ne i32* %7, null
  %conv4 = zext i1 %cmp to i32
  %8 = load i32, i32* %r, align 4
  %add5 = add nsw i32 %8, %conv4
  store i32 %add5, i32* %r, align 4
  %9 = atomicrmw xchg i32* @x, i32 5 seq_cst, align 4
  %10 = atomicrmw nand i32* @x, i32 3 seq_cst, align 4
  %add6 = add nsw i32 %9, %10
  %11 = atomicrmw min i32* @x, i32 3 seq_cst, align 4
  %add7 = add nsw i32 %add6, %11
  %12 = load i32, i32* %r, align 4
  %add8 = add nsw i32 %12, %add7
  store i32 %add8, i32* %r, align 4
  store atomic i32 0, i32* @x release, align 4
  store i8 1, i8* %.atomictmp, align 1
  %13 = load i8, i8* %.atomictmp, align 1
  store atomic i8 %13, i8* @c release, align 1
  store i64 3, i64* %.atomictmp9, align 8
  %14 = load i64, i64* %.atomictmp9, align 8
  %15 = atomicrmw xchg i64* @l, i64 %14 acq_rel, align 8
  store i64 %15, i64* %atomic-temp, align 8
  %16 = load i64, i64* %atomic-temp, align 8
  %17 = load atomic i8, i8* @c monotonic, align 1
  store i8 %17, i8* %atomic-temp10, align 1
  %18 = load i8, i8* %atomic-temp10, align 1
  %conv11 = sext i8 %18 to i64
  %add12 = add nsw i64 %16, %conv11
  %19 = load i32, i32* %r, align 4
  %conv13 = sext i32 %19 to i64
  %add14 = add nsw i64 %conv13, %add12
  %conv15 = trunc i64 %add14 to i32
  store i32 %conv15, i32* %r, align 4
  store i32 7, i32* %old, align 4
  %20 = load i32, i32* %old, align 4
  %21 = load i32, i32* %r, align 4
  %22 = cmpxchg weak i32* @x, i32 %20, i32 %21 seq_cst acquire, align 4
  %23 = extractvalue { i32, i1 } %22, 0
  %24 = extractvalue { i32, i1 } %22, 1
  br i1 %24, label %cmpxchg.continue, label %cmpxchg.store_expected

cmpxchg.store_expected:                           ; preds = %entry
  store i32 %23, i32* %old, align 4
  br label %cmpxchg.continue

cmpxchg.continue:                                 ; preds = %cmpxchg.store_expected, %entry
  %frombool = zext i1 %24 to i8
  store i8 %frombool, i8* %cmpxchg.bool, align 1
  %25 = load i8, i8* %cmpxchg.bool, align 1
  %tobool = trunc i8 %25 to i1
  %26 = load i32, i32* %r, align 4
  store i32 1, i32* %.atomictmp16, align 4
  %27 = load i32, i32* %.atomictmp16, align 4
  %28 = atomicrmw nand i32* @x, i32 %27 seq_cst, align 4
  store i32 %28, i32* %atomic-temp17, align 4
  %29 = load i32, i32* %atomic-temp17, align 4
  %add18 = add nsw i32 %26, %29
  %30 = atomicrmw xchg i8* @c, i8 1 seq_cst, align 1
  %tobool19 = icmp ne i8 %30, 0
  %conv20 = zext i1 %tobool19 to i32
  %add21 = add nsw i32 %add18, %conv20
  ret i32 %add21
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 14.0.6"}
