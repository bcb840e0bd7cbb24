; ModuleID = 'programs/uninitialised.c'
source_filename = "programs/uninitialised.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@g = dso_local global i32 0, align 4, !dbg !0

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #0 !dbg !14 {
entry:
  %retval = alloca i32, align 4
  %x = alloca i32, align 4
  %y = alloca i32, align 4
  %i = alloca i32, align 4
  %z = alloca i32, align 4
  store i32 0, ptr %retval, align 4
    #dbg_declare(ptr %x, !18, !DIExpression(), !19)
    #dbg_declare(ptr %y, !20, !DIExpression(), !21)
  store i32 0, ptr %y, align 4, !dbg !21
  %0 = load i32, ptr @g, align 4, !dbg !22
  %tobool = icmp ne i32 %0, 0, !dbg !22
  br i1 %tobool, label %if.then, label %if.end, !dbg !24

if.then:                                          ; preds = %entry
  store i32 1, ptr %x, align 4, !dbg !25
  br label %if.end, !dbg !26

if.end:                                           ; preds = %if.then, %entry
    #dbg_declare(ptr %i, !27, !DIExpression(), !29)
  store i32 0, ptr %i, align 4, !dbg !29
  br label %for.cond, !dbg !30

for.cond:                                         ; preds = %for.inc, %if.end
  %1 = load i32, ptr %i, align 4, !dbg !31
  %cmp = icmp slt i32 %1, 3, !dbg !33
  br i1 %cmp, label %for.body, label %for.end, !dbg !34

for.body:                                         ; preds = %for.cond
    #dbg_declare(ptr %z, !35, !DIExpression(), !37)
  %2 = load i32, ptr %i, align 4, !dbg !38
  %3 = load i32, ptr @g, align 4, !dbg !40
  %cmp1 = icmp eq i32 %2, %3, !dbg !41
  br i1 %cmp1, label %if.then2, label %if.end3, !dbg !42

if.then2:                                         ; preds = %for.body
  %4 = load i32, ptr %i, align 4, !dbg !43
  store i32 %4, ptr %z, align 4, !dbg !44
  br label %if.end3, !dbg !45

if.end3:                                          ; preds = %if.then2, %for.body
  %5 = load i32, ptr %z, align 4, !dbg !46
  %6 = load i32, ptr %y, align 4, !dbg !47
  %add = add nsw i32 %6, %5, !dbg !47
  store i32 %add, ptr %y, align 4, !dbg !47
  br label %for.inc, !dbg !48

for.inc:                                          ; preds = %if.end3
  %7 = load i32, ptr %i, align 4, !dbg !49
  %inc = add nsw i32 %7, 1, !dbg !49
  store i32 %inc, ptr %i, align 4, !dbg !49
  br label %for.cond, !dbg !50, !llvm.loop !51

for.end:                                          ; preds = %for.cond
  %8 = load i32, ptr %x, align 4, !dbg !54
  %9 = load i32, ptr %y, align 4, !dbg !55
  %add4 = add nsw i32 %8, %9, !dbg !56
  ret i32 %add4, !dbg !57
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!6, !7, !8, !9, !10, !11, !12}
!llvm.ident = !{!13}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "g", scope: !2, file: !3, line: 1, type: !5, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "programs/uninitialised.c", directory: "/src/tests", checksumkind: CSK_MD5, checksum: "11a283490939a8fd2cdf95909c3e7265")
!4 = !{!0}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{i32 7, !"Dwarf Version", i32 5}
!7 = !{i32 2, !"Debug Info Version", i32 3}
!8 = !{i32 1, !"wchar_size", i32 4}
!9 = !{i32 8, !"PIC Level", i32 2}
!10 = !{i32 7, !"PIE Level", i32 2}
!11 = !{i32 7, !"uwtable", i32 2}
!12 = !{i32 7, !"frame-pointer", i32 2}
!13 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!14 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !17)
!15 = !DISubroutineType(types: !16)
!16 = !{!5}
!17 = !{}
!18 = !DILocalVariable(name: "x", scope: !14, file: !3, line: 3, type: !5)
!19 = !DILocation(line: 3, column: 7, scope: !14)
!20 = !DILocalVariable(name: "y", scope: !14, file: !3, line: 3, type: !5)
!21 = !DILocation(line: 3, column: 14, scope: !14)
!22 = !DILocation(line: 4, column: 7, scope: !23)
!23 = distinct !DILexicalBlock(scope: !14, file: !3, line: 4, column: 7)
!24 = !DILocation(line: 4, column: 7, scope: !14)
!25 = !DILocation(line: 4, column: 12, scope: !23)
!26 = !DILocation(line: 4, column: 10, scope: !23)
!27 = !DILocalVariable(name: "i", scope: !28, file: !3, line: 5, type: !5)
!28 = distinct !DILexicalBlock(scope: !14, file: !3, line: 5, column: 3)
!29 = !DILocation(line: 5, column: 12, scope: !28)
!30 = !DILocation(line: 5, column: 8, scope: !28)
!31 = !DILocation(line: 5, column: 19, scope: !32)
!32 = distinct !DILexicalBlock(scope: !28, file: !3, line: 5, column: 3)
!33 = !DILocation(line: 5, column: 21, scope: !32)
!34 = !DILocation(line: 5, column: 3, scope: !28)
!35 = !DILocalVariable(name: "z", scope: !36, file: !3, line: 5, type: !5)
!36 = distinct !DILexicalBlock(scope: !32, file: !3, line: 5, column: 31)
!37 = !DILocation(line: 5, column: 37, scope: !36)
!38 = !DILocation(line: 5, column: 44, scope: !39)
!39 = distinct !DILexicalBlock(scope: !36, file: !3, line: 5, column: 44)
!40 = !DILocation(line: 5, column: 49, scope: !39)
!41 = !DILocation(line: 5, column: 46, scope: !39)
!42 = !DILocation(line: 5, column: 44, scope: !36)
!43 = !DILocation(line: 5, column: 56, scope: !39)
!44 = !DILocation(line: 5, column: 54, scope: !39)
!45 = !DILocation(line: 5, column: 52, scope: !39)
!46 = !DILocation(line: 5, column: 64, scope: !36)
!47 = !DILocation(line: 5, column: 61, scope: !36)
!48 = !DILocation(line: 5, column: 67, scope: !36)
!49 = !DILocation(line: 5, column: 27, scope: !32)
!50 = !DILocation(line: 5, column: 3, scope: !32)
!51 = distinct !{!51, !34, !52, !53}
!52 = !DILocation(line: 5, column: 67, scope: !28)
!53 = !{!"llvm.loop.mustprogress"}
!54 = !DILocation(line: 6, column: 10, scope: !14)
!55 = !DILocation(line: 6, column: 14, scope: !14)
!56 = !DILocation(line: 6, column: 12, scope: !14)
!57 = !DILocation(line: 6, column: 3, scope: !14)
