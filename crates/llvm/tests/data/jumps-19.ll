; ModuleID = 'programs/jumps.c'
source_filename = "programs/jumps.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@interpret.labels = internal unnamed_addr constant [3 x ptr] [ptr blockaddress(@interpret, %stop), ptr blockaddress(@interpret, %inc), ptr blockaddress(@interpret, %twice)], align 16

; Function Attrs: nofree norecurse nosync nounwind memory(none) uwtable
define dso_local range(i32 -2147483648, 122) i32 @classify(i32 noundef %c) local_unnamed_addr #0 {
entry:
  switch i32 %c, label %again.preheader [
    i32 97, label %return
    i32 98, label %return
    i32 99, label %return
    i32 120, label %sw.bb2
    i32 121, label %sw.bb2
  ]

again.preheader:                                  ; preds = %entry
  %smin = tail call i32 @llvm.smin.i32(i32 %c, i32 100)
  %0 = add i32 %smin, -1
  br label %do.body

sw.bb2:                                           ; preds = %entry, %entry
  br label %return

do.body:                                          ; preds = %again.preheader, %do.body
  %c.addr.2 = phi i32 [ %spec.select, %do.body ], [ %0, %again.preheader ]
  %and = and i32 %c.addr.2, 1
  %1 = xor i32 %and, 1
  %spec.select = ashr i32 %c.addr.2, %1
  %cmp5 = icmp sgt i32 %spec.select, 10
  br i1 %cmp5, label %do.body, label %return, !llvm.loop !5

return:                                           ; preds = %do.body, %entry, %entry, %entry, %sw.bb2
  %retval.0 = phi i32 [ 121, %sw.bb2 ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ %spec.select, %do.body ]
  ret i32 %retval.0
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define dso_local i32 @interpret(ptr nocapture noundef readonly %code) #1 {
entry:
  br label %indirectgoto

inc:                                              ; preds = %indirectgoto
  %inc1 = add nsw i32 %value.0, 1
  br label %indirectgoto.backedge

indirectgoto.backedge:                            ; preds = %inc, %twice
  %value.0.be = phi i32 [ %inc1, %inc ], [ %mul, %twice ]
  br label %indirectgoto

twice:                                            ; preds = %indirectgoto
  %mul = shl nsw i32 %value.0, 1
  br label %indirectgoto.backedge

stop:                                             ; preds = %indirectgoto
  ret i32 %value.0

indirectgoto:                                     ; preds = %indirectgoto.backedge, %entry
  %code.pn = phi ptr [ %code, %entry ], [ %code.addr.0, %indirectgoto.backedge ]
  %value.0 = phi i32 [ 1, %entry ], [ %value.0.be, %indirectgoto.backedge ]
  %idxprom.pn.in = load i8, ptr %code.pn, align 1, !tbaa !7
  %idxprom.pn = zext i8 %idxprom.pn.in to i64
  %indirect.goto.dest.in = getelementptr inbounds [3 x ptr], ptr @interpret.labels, i64 0, i64 %idxprom.pn
  %code.addr.0 = getelementptr inbounds i8, ptr %code.pn, i64 1
  %indirect.goto.dest = load ptr, ptr %indirect.goto.dest.in, align 8, !tbaa !10
  indirectbr ptr %indirect.goto.dest, [label %stop, label %inc, label %twice]
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local noundef range(i64 0, 3) i64 @wide(i64 noundef %v) local_unnamed_addr #2 {
entry:
  %switch.selectcmp = icmp eq i64 %v, 1099511627776
  %switch.select = select i1 %switch.selectcmp, i64 2, i64 0
  %switch.selectcmp2 = icmp eq i64 %v, -1
  %switch.select3 = select i1 %switch.selectcmp2, i64 1, i64 %switch.select
  ret i64 %switch.select3
}

; Function Attrs: nofree norecurse noreturn nosync nounwind memory(none) uwtable
define dso_local noundef i32 @main() local_unnamed_addr #3 {
entry:
  br label %do.body.i

do.body.i:                                        ; preds = %do.body.i, %entry
  br label %do.body.i
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #4

attributes #0 = { nofree norecurse nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree norecurse noreturn nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!8, !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!11, !11, i64 0}
!11 = !{!"any pointer", !8, i64 0}
