; ModuleID = 'programs/bit_fields.c'
source_filename = "programs/bit_fields.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.flags = type { i48, i8 }
%struct.tight = type { i8, [3 x i8], i16 }

@g = dso_local global { i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] } { i8 -19, i8 0, i8 0, i8 0, i8 0, i8 2, [2 x i8] undef, i8 1, [7 x i8] undef }, align 8
@t = dso_local global { i8, i8, i8, i8, i16 } { i8 120, i8 12, i8 0, i8 0, i16 5 }, align 1

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #0 {
entry:
  %retval = alloca i32, align 4
  %l = alloca %struct.flags, align 8
  store i32 0, i32* %retval, align 4
  %bf.load = load i64, i64* bitcast ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g to i64*), align 8
  %bf.clear = and i64 %bf.load, 7
  %bf.cast = trunc i64 %bf.clear to i32
  %add = add nsw i32 %bf.cast, 2
  %0 = zext i32 %add to i64
  %bf.load1 = load i64, i64* bitcast ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g to i64*), align 8
  %bf.value = and i64 %0, 7
  %bf.clear2 = and i64 %bf.load1, -8
  %bf.set = or i64 %bf.clear2, %bf.value
  store i64 %bf.set, i64* bitcast ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g to i64*), align 8
  %bf.result.cast = trunc i64 %bf.value to i32
  %bf.load3 = load i64, i64* bitcast ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g to i64*), align 8
  %bf.clear4 = and i64 %bf.load3, 7
  %bf.cast5 = trunc i64 %bf.clear4 to i32
  %sub = sub nsw i32 %bf.cast5, 9
  %1 = zext i32 %sub to i64
  %bf.load6 = load i64, i64* bitcast ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g to i64*), align 8
  %bf.value7 = and i64 %1, 31
  %bf.shl = shl i64 %bf.value7, 3
  %bf.clear8 = and i64 %bf.load6, -249
  %bf.set9 = or i64 %bf.clear8, %bf.shl
  store i64 %bf.set9, i64* bitcast ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g to i64*), align 8
  %bf.result.shl = shl i64 %bf.value7, 59
  %bf.result.ashr = ashr i64 %bf.result.shl, 59
  %bf.result.cast10 = trunc i64 %bf.result.ashr to i32
  %bf.load11 = load i64, i64* bitcast ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g to i64*), align 8
  %bf.lshr = lshr i64 %bf.load11, 8
  %bf.clear12 = and i64 %bf.lshr, 1099511627775
  %or = or i64 %bf.clear12, 7
  %bf.load13 = load i64, i64* bitcast ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g to i64*), align 8
  %bf.value14 = and i64 %or, 1099511627775
  %bf.shl15 = shl i64 %bf.value14, 8
  %bf.clear16 = and i64 %bf.load13, -281474976710401
  %bf.set17 = or i64 %bf.clear16, %bf.shl15
  store i64 %bf.set17, i64* bitcast ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g to i64*), align 8
  %bf.load18 = load i24, i24* bitcast ([3 x i8]* getelementptr inbounds (%struct.tight, %struct.tight* bitcast ({ i8, i8, i8, i8, i16 }* @t to %struct.tight*), i32 0, i32 1) to i24*), align 1
  %bf.shl19 = shl i24 %bf.load18, 4
  %bf.ashr = ashr i24 %bf.shl19, 4
  %bf.cast20 = sext i24 %bf.ashr to i32
  %inc = add nsw i32 %bf.cast20, 1
  %2 = trunc i32 %inc to i24
  %bf.load21 = load i24, i24* bitcast ([3 x i8]* getelementptr inbounds (%struct.tight, %struct.tight* bitcast ({ i8, i8, i8, i8, i16 }* @t to %struct.tight*), i32 0, i32 1) to i24*), align 1
  %bf.value22 = and i24 %2, 1048575
  %bf.clear23 = and i24 %bf.load21, -1048576
  %bf.set24 = or i24 %bf.clear23, %bf.value22
  store i24 %bf.set24, i24* bitcast ([3 x i8]* getelementptr inbounds (%struct.tight, %struct.tight* bitcast ({ i8, i8, i8, i8, i16 }* @t to %struct.tight*), i32 0, i32 1) to i24*), align 1
  %bf.result.shl25 = shl i24 %bf.value22, 4
  %bf.result.ashr26 = ashr i24 %bf.result.shl25, 4
  %bf.result.cast27 = sext i24 %bf.result.ashr26 to i32
  %3 = bitcast %struct.flags* %l to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %3, i8* align 8 getelementptr inbounds ({ i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }, { i8, i8, i8, i8, i8, i8, [2 x i8], i8, [7 x i8] }* @g, i32 0, i32 0), i64 16, i1 false)
  %d = getelementptr inbounds %struct.flags, %struct.flags* %l, i32 0, i32 1
  %bf.load28 = load i8, i8* %d, align 8
  %bf.clear29 = and i8 %bf.load28, 1
  %conv = zext i8 %bf.clear29 to i32
  %xor = xor i32 %conv, 1
  %conv30 = trunc i32 %xor to i8
  %bf.load31 = load i8, i8* %d, align 8
  %bf.value32 = and i8 %conv30, 1
  %bf.clear33 = and i8 %bf.load31, -2
  %bf.set34 = or i8 %bf.clear33, %bf.value32
  store i8 %bf.set34, i8* %d, align 8
  %4 = bitcast %struct.flags* %l to i64*
  %bf.load35 = load i64, i64* %4, align 8
  %bf.clear36 = and i64 %bf.load35, 7
  %bf.cast37 = trunc i64 %bf.clear36 to i32
  %5 = bitcast %struct.flags* %l to i64*
  %bf.load38 = load i64, i64* %5, align 8
  %bf.shl39 = shl i64 %bf.load38, 56
  %bf.ashr40 = ashr i64 %bf.shl39, 59
  %bf.cast41 = trunc i64 %bf.ashr40 to i32
  %add42 = add nsw i32 %bf.cast37, %bf.cast41
  %6 = bitcast %struct.flags* %l to i64*
  %bf.load43 = load i64, i64* %6, align 8
  %bf.lshr44 = lshr i64 %bf.load43, 8
  %bf.clear45 = and i64 %bf.lshr44, 1099511627775
  %conv46 = trunc i64 %bf.clear45 to i32
  %add47 = add nsw i32 %add42, %conv46
  %d48 = getelementptr inbounds %struct.flags, %struct.flags* %l, i32 0, i32 1
  %bf.load49 = load i8, i8* %d48, align 8
  %bf.clear50 = and i8 %bf.load49, 1
  %conv51 = zext i8 %bf.clear50 to i32
  %add52 = add nsw i32 %add47, %conv51
  %bf.load53 = load i24, i24* bitcast ([3 x i8]* getelementptr inbounds (%struct.tight, %struct.tight* bitcast ({ i8, i8, i8, i8, i16 }* @t to %struct.tight*), i32 0, i32 1) to i24*), align 1
  %bf.shl54 = shl i24 %bf.load53, 4
  %bf.ashr55 = ashr i24 %bf.shl54, 4
  %bf.cast56 = sext i24 %bf.ashr55 to i32
  %add57 = add nsw i32 %add52, %bf.cast56
  %7 = load i16, i16* getelementptr inbounds (%struct.tight, %struct.tight* bitcast ({ i8, i8, i8, i8, i16 }* @t to %struct.tight*), i32 0, i32 2), align 1
  %conv58 = sext i16 %7 to i32
  %add59 = add nsw i32 %add57, %conv58
  ret i32 %add59
}

; Function Attrs: argmemonly nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #1

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { argmemonly nofree nounwind willreturn }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 14.0.6"}
