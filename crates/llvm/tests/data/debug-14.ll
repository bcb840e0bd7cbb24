; ModuleID = 'programs/statics.c'
source_filename = "programs/statics.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@tentative = dso_local global i32 0, align 4, !dbg !0
@counter.count = internal global i32 5, align 4, !dbg !5
@counter.names = internal global [2 x i8*] [i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i32 0, i32 0), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.1, i32 0, i32 0)], align 16, !dbg !12
@.str = private unnamed_addr constant [4 x i8] c"one\00", align 1
@.str.1 = private unnamed_addr constant [4 x i8] c"two\00", align 1
@other.count = internal global i32 0, align 4, !dbg !19

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #0 !dbg !30 {
entry:
  %retval = alloca i32, align 4
  store i32 0, i32* %retval, align 4
  %call = call i32 @counter(), !dbg !31
  %call1 = call i32 @twice(i32 noundef %call), !dbg !32
  %call2 = call i32 @other(), !dbg !33
  %add = add nsw i32 %call1, %call2, !dbg !34
  %0 = load i32, i32* @tentative, align 4, !dbg !35
  %add3 = add nsw i32 %add, %0, !dbg !36
  ret i32 %add3, !dbg !37
}

; Function Attrs: noinline nounwind uwtable
define internal i32 @twice(i32 noundef %x) #0 !dbg !38 {
entry:
  %x.addr = alloca i32, align 4
  store i32 %x, i32* %x.addr, align 4
  call void @llvm.dbg.declare(metadata i32* %x.addr, metadata !41, metadata !DIExpression()), !dbg !42
  %0 = load i32, i32* %x.addr, align 4, !dbg !43
  %mul = mul nsw i32 2, %0, !dbg !44
  ret i32 %mul, !dbg !45
}

; Function Attrs: noinline nounwind uwtable
define internal i32 @counter() #0 !dbg !7 {
entry:
  %0 = load i32, i32* @counter.count, align 4, !dbg !46
  %inc = add nsw i32 %0, 1, !dbg !46
  store i32 %inc, i32* @counter.count, align 4, !dbg !46
  %1 = load i8*, i8** getelementptr inbounds ([2 x i8*], [2 x i8*]* @counter.names, i64 0, i64 1), align 8, !dbg !47
  %arrayidx = getelementptr inbounds i8, i8* %1, i64 0, !dbg !47
  %2 = load i8, i8* %arrayidx, align 1, !dbg !47
  %conv = sext i8 %2 to i32, !dbg !47
  %add = add nsw i32 %0, %conv, !dbg !48
  ret i32 %add, !dbg !49
}

; Function Attrs: noinline nounwind uwtable
define internal i32 @other() #0 !dbg !21 {
entry:
  %0 = load i32, i32* @other.count, align 4, !dbg !50
  %inc = add nsw i32 %0, 1, !dbg !50
  store i32 %inc, i32* @other.count, align 4, !dbg !50
  ret i32 %inc, !dbg !51
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!22, !23, !24, !25, !26, !27, !28}
!llvm.ident = !{!29}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "tentative", scope: !2, file: !3, line: 4, type: !10, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "programs/statics.c", directory: "/src/tests", checksumkind: CSK_MD5, checksum: "a99404f6deb9f32a366935e4e67b085b")
!4 = !{!0, !5, !12, !19}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "count", scope: !7, file: !3, line: 1, type: !10, isLocal: true, isDefinition: true)
!7 = distinct !DISubprogram(name: "counter", scope: !3, file: !3, line: 1, type: !8, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !11)
!8 = !DISubroutineType(types: !9)
!9 = !{!10}
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = !{}
!12 = !DIGlobalVariableExpression(var: !13, expr: !DIExpression())
!13 = distinct !DIGlobalVariable(name: "names", scope: !7, file: !3, line: 1, type: !14, isLocal: true, isDefinition: true)
!14 = !DICompositeType(tag: DW_TAG_array_type, baseType: !15, size: 128, elements: !17)
!15 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !16, size: 64)
!16 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!17 = !{!18}
!18 = !DISubrange(count: 2)
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(name: "count", scope: !21, file: !3, line: 2, type: !10, isLocal: true, isDefinition: true)
!21 = distinct !DISubprogram(name: "other", scope: !3, file: !3, line: 2, type: !8, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !11)
!22 = !{i32 7, !"Dwarf Version", i32 5}
!23 = !{i32 2, !"Debug Info Version", i32 3}
!24 = !{i32 1, !"wchar_size", i32 4}
!25 = !{i32 7, !"PIC Level", i32 2}
!26 = !{i32 7, !"PIE Level", i32 2}
!27 = !{i32 7, !"uwtable", i32 1}
!28 = !{i32 7, !"frame-pointer", i32 2}
!29 = !{!"Debian clang version 14.0.6"}
!30 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 5, type: !8, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !11)
!31 = !DILocation(line: 5, column: 31, scope: !30)
!32 = !DILocation(line: 5, column: 25, scope: !30)
!33 = !DILocation(line: 5, column: 44, scope: !30)
!34 = !DILocation(line: 5, column: 42, scope: !30)
!35 = !DILocation(line: 5, column: 54, scope: !30)
!36 = !DILocation(line: 5, column: 52, scope: !30)
!37 = !DILocation(line: 5, column: 18, scope: !30)
!38 = distinct !DISubprogram(name: "twice", scope: !3, file: !3, line: 3, type: !39, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !11)
!39 = !DISubroutineType(types: !40)
!40 = !{!10, !10}
!41 = !DILocalVariable(name: "x", arg: 1, scope: !38, file: !3, line: 3, type: !10)
!42 = !DILocation(line: 3, column: 29, scope: !38)
!43 = !DILocation(line: 3, column: 45, scope: !38)
!44 = !DILocation(line: 3, column: 43, scope: !38)
!45 = !DILocation(line: 3, column: 34, scope: !38)
!46 = !DILocation(line: 1, column: 101, scope: !7)
!47 = !DILocation(line: 1, column: 106, scope: !7)
!48 = !DILocation(line: 1, column: 104, scope: !7)
!49 = !DILocation(line: 1, column: 89, scope: !7)
!50 = !DILocation(line: 2, column: 51, scope: !21)
!51 = !DILocation(line: 2, column: 44, scope: !21)
