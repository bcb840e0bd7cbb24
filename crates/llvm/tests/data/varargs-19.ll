; ModuleID = 'programs/varargs.c'
source_filename = "programs/varargs.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.triple = type { i64, i64, i64 }
%struct.pair = type { i32, double }
%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@__const.main.t = private unnamed_addr constant %struct.triple { i64 1, i64 2, i64 3 }, align 8
@__const.main.p = private unnamed_addr constant %struct.pair { i32 4, double 5.000000e+00 }, align 8
@.str = private unnamed_addr constant [7 x i8] c"%d %s\0A\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"x\00", align 1

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #0 {
entry:
  %retval = alloca i32, align 4
  %l = alloca i64, align 8
  %t = alloca %struct.triple, align 8
  %p = alloca %struct.pair, align 8
  store i32 0, ptr %retval, align 4
  store i64 5, ptr %l, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %t, ptr align 8 @__const.main.t, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 @__const.main.p, i64 16, i1 false)
  %0 = getelementptr inbounds { i32, double }, ptr %p, i32 0, i32 0
  %1 = load i32, ptr %0, align 8
  %2 = getelementptr inbounds { i32, double }, ptr %p, i32 0, i32 1
  %3 = load double, ptr %2, align 8
  %call = call i64 (i32, ...) @sum(i32 noundef 2, i32 noundef 1, i32 noundef 2, double noundef 3.500000e+00, ptr noundef byval(%struct.triple) align 8 %t, i32 %1, double %3, ptr noundef %l)
  %call1 = call i32 (ptr, ...) @show(ptr noundef @.str, i32 noundef 3, ptr noundef @.str.1)
  %conv = sext i32 %call1 to i64
  %add = add nsw i64 %call, %conv
  %conv2 = trunc i64 %add to i32
  ret i32 %conv2
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #1

; Function Attrs: noinline nounwind uwtable
define internal i64 @sum(i32 noundef %n, ...) #0 {
entry:
  %n.addr = alloca i32, align 4
  %args = alloca [1 x %struct.__va_list_tag], align 16
  %again = alloca [1 x %struct.__va_list_tag], align 16
  %total = alloca i64, align 8
  %i = alloca i32, align 4
  %t = alloca %struct.triple, align 8
  %p = alloca %struct.pair, align 8
  %tmp = alloca %struct.pair, align 8
  store i32 %n, ptr %n.addr, align 4
  %arraydecay = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  call void @llvm.va_start.p0(ptr %arraydecay)
  %arraydecay1 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %again, i64 0, i64 0
  %arraydecay2 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  call void @llvm.va_copy.p0(ptr %arraydecay1, ptr %arraydecay2)
  store i64 0, ptr %total, align 8
  store i32 0, ptr %i, align 4
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4
  %1 = load i32, ptr %n.addr, align 4
  %cmp = icmp slt i32 %0, %1
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %arraydecay3 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  %gp_offset_p = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay3, i32 0, i32 0
  %gp_offset = load i32, ptr %gp_offset_p, align 16
  %fits_in_gp = icmp ule i32 %gp_offset, 40
  br i1 %fits_in_gp, label %vaarg.in_reg, label %vaarg.in_mem

vaarg.in_reg:                                     ; preds = %for.body
  %2 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay3, i32 0, i32 3
  %reg_save_area = load ptr, ptr %2, align 16
  %3 = getelementptr i8, ptr %reg_save_area, i32 %gp_offset
  %4 = add i32 %gp_offset, 8
  store i32 %4, ptr %gp_offset_p, align 16
  br label %vaarg.end

vaarg.in_mem:                                     ; preds = %for.body
  %overflow_arg_area_p = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay3, i32 0, i32 2
  %overflow_arg_area = load ptr, ptr %overflow_arg_area_p, align 8
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area, i32 8
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %vaarg.addr = phi ptr [ %3, %vaarg.in_reg ], [ %overflow_arg_area, %vaarg.in_mem ]
  %5 = load i32, ptr %vaarg.addr, align 4
  %conv = sext i32 %5 to i64
  %6 = load i64, ptr %total, align 8
  %add = add nsw i64 %6, %conv
  store i64 %add, ptr %total, align 8
  br label %for.inc

for.inc:                                          ; preds = %vaarg.end
  %7 = load i32, ptr %i, align 4
  %inc = add nsw i32 %7, 1
  store i32 %inc, ptr %i, align 4
  br label %for.cond, !llvm.loop !6

for.end:                                          ; preds = %for.cond
  %arraydecay4 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  %fp_offset_p = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay4, i32 0, i32 1
  %fp_offset = load i32, ptr %fp_offset_p, align 4
  %fits_in_fp = icmp ule i32 %fp_offset, 160
  br i1 %fits_in_fp, label %vaarg.in_reg5, label %vaarg.in_mem7

vaarg.in_reg5:                                    ; preds = %for.end
  %8 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay4, i32 0, i32 3
  %reg_save_area6 = load ptr, ptr %8, align 16
  %9 = getelementptr i8, ptr %reg_save_area6, i32 %fp_offset
  %10 = add i32 %fp_offset, 16
  store i32 %10, ptr %fp_offset_p, align 4
  br label %vaarg.end11

vaarg.in_mem7:                                    ; preds = %for.end
  %overflow_arg_area_p8 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay4, i32 0, i32 2
  %overflow_arg_area9 = load ptr, ptr %overflow_arg_area_p8, align 8
  %overflow_arg_area.next10 = getelementptr i8, ptr %overflow_arg_area9, i32 8
  store ptr %overflow_arg_area.next10, ptr %overflow_arg_area_p8, align 8
  br label %vaarg.end11

vaarg.end11:                                      ; preds = %vaarg.in_mem7, %vaarg.in_reg5
  %vaarg.addr12 = phi ptr [ %9, %vaarg.in_reg5 ], [ %overflow_arg_area9, %vaarg.in_mem7 ]
  %11 = load double, ptr %vaarg.addr12, align 8
  %conv13 = fptosi double %11 to i64
  %12 = load i64, ptr %total, align 8
  %add14 = add nsw i64 %12, %conv13
  store i64 %add14, ptr %total, align 8
  %arraydecay15 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  %overflow_arg_area_p16 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay15, i32 0, i32 2
  %overflow_arg_area17 = load ptr, ptr %overflow_arg_area_p16, align 8
  %overflow_arg_area.next18 = getelementptr i8, ptr %overflow_arg_area17, i32 24
  store ptr %overflow_arg_area.next18, ptr %overflow_arg_area_p16, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %t, ptr align 8 %overflow_arg_area17, i64 24, i1 false)
  %arraydecay19 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  %gp_offset_p20 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay19, i32 0, i32 0
  %gp_offset21 = load i32, ptr %gp_offset_p20, align 16
  %fits_in_gp22 = icmp ule i32 %gp_offset21, 40
  %fp_offset_p23 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay19, i32 0, i32 1
  %fp_offset24 = load i32, ptr %fp_offset_p23, align 4
  %fits_in_fp25 = icmp ule i32 %fp_offset24, 160
  %13 = and i1 %fits_in_gp22, %fits_in_fp25
  br i1 %13, label %vaarg.in_reg26, label %vaarg.in_mem28

vaarg.in_reg26:                                   ; preds = %vaarg.end11
  %14 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay19, i32 0, i32 3
  %reg_save_area27 = load ptr, ptr %14, align 16
  %15 = getelementptr i8, ptr %reg_save_area27, i32 %gp_offset21
  %16 = getelementptr i8, ptr %reg_save_area27, i32 %fp_offset24
  %17 = load i32, ptr %15, align 4
  %18 = getelementptr inbounds { i32, double }, ptr %tmp, i32 0, i32 0
  store i32 %17, ptr %18, align 8
  %19 = load double, ptr %16, align 8
  %20 = getelementptr inbounds { i32, double }, ptr %tmp, i32 0, i32 1
  store double %19, ptr %20, align 8
  %21 = add i32 %gp_offset21, 8
  store i32 %21, ptr %gp_offset_p20, align 16
  %22 = add i32 %fp_offset24, 16
  store i32 %22, ptr %fp_offset_p23, align 4
  br label %vaarg.end32

vaarg.in_mem28:                                   ; preds = %vaarg.end11
  %overflow_arg_area_p29 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay19, i32 0, i32 2
  %overflow_arg_area30 = load ptr, ptr %overflow_arg_area_p29, align 8
  %overflow_arg_area.next31 = getelementptr i8, ptr %overflow_arg_area30, i32 16
  store ptr %overflow_arg_area.next31, ptr %overflow_arg_area_p29, align 8
  br label %vaarg.end32

vaarg.end32:                                      ; preds = %vaarg.in_mem28, %vaarg.in_reg26
  %vaarg.addr33 = phi ptr [ %tmp, %vaarg.in_reg26 ], [ %overflow_arg_area30, %vaarg.in_mem28 ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %vaarg.addr33, i64 16, i1 false)
  %arraydecay34 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  %gp_offset_p35 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay34, i32 0, i32 0
  %gp_offset36 = load i32, ptr %gp_offset_p35, align 16
  %fits_in_gp37 = icmp ule i32 %gp_offset36, 40
  br i1 %fits_in_gp37, label %vaarg.in_reg38, label %vaarg.in_mem40

vaarg.in_reg38:                                   ; preds = %vaarg.end32
  %23 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay34, i32 0, i32 3
  %reg_save_area39 = load ptr, ptr %23, align 16
  %24 = getelementptr i8, ptr %reg_save_area39, i32 %gp_offset36
  %25 = add i32 %gp_offset36, 8
  store i32 %25, ptr %gp_offset_p35, align 16
  br label %vaarg.end44

vaarg.in_mem40:                                   ; preds = %vaarg.end32
  %overflow_arg_area_p41 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay34, i32 0, i32 2
  %overflow_arg_area42 = load ptr, ptr %overflow_arg_area_p41, align 8
  %overflow_arg_area.next43 = getelementptr i8, ptr %overflow_arg_area42, i32 8
  store ptr %overflow_arg_area.next43, ptr %overflow_arg_area_p41, align 8
  br label %vaarg.end44

vaarg.end44:                                      ; preds = %vaarg.in_mem40, %vaarg.in_reg38
  %vaarg.addr45 = phi ptr [ %24, %vaarg.in_reg38 ], [ %overflow_arg_area42, %vaarg.in_mem40 ]
  %26 = load ptr, ptr %vaarg.addr45, align 8
  %27 = load i64, ptr %26, align 8
  %arraydecay46 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %again, i64 0, i64 0
  %gp_offset_p47 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay46, i32 0, i32 0
  %gp_offset48 = load i32, ptr %gp_offset_p47, align 16
  %fits_in_gp49 = icmp ule i32 %gp_offset48, 40
  br i1 %fits_in_gp49, label %vaarg.in_reg50, label %vaarg.in_mem52

vaarg.in_reg50:                                   ; preds = %vaarg.end44
  %28 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay46, i32 0, i32 3
  %reg_save_area51 = load ptr, ptr %28, align 16
  %29 = getelementptr i8, ptr %reg_save_area51, i32 %gp_offset48
  %30 = add i32 %gp_offset48, 8
  store i32 %30, ptr %gp_offset_p47, align 16
  br label %vaarg.end56

vaarg.in_mem52:                                   ; preds = %vaarg.end44
  %overflow_arg_area_p53 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay46, i32 0, i32 2
  %overflow_arg_area54 = load ptr, ptr %overflow_arg_area_p53, align 8
  %overflow_arg_area.next55 = getelementptr i8, ptr %overflow_arg_area54, i32 8
  store ptr %overflow_arg_area.next55, ptr %overflow_arg_area_p53, align 8
  br label %vaarg.end56

vaarg.end56:                                      ; preds = %vaarg.in_mem52, %vaarg.in_reg50
  %vaarg.addr57 = phi ptr [ %29, %vaarg.in_reg50 ], [ %overflow_arg_area54, %vaarg.in_mem52 ]
  %31 = load i32, ptr %vaarg.addr57, align 4
  %conv58 = sext i32 %31 to i64
  %add59 = add nsw i64 %27, %conv58
  %32 = load i64, ptr %total, align 8
  %add60 = add nsw i64 %32, %add59
  store i64 %add60, ptr %total, align 8
  %arraydecay61 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  call void @llvm.va_end.p0(ptr %arraydecay61)
  %arraydecay62 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %again, i64 0, i64 0
  call void @llvm.va_end.p0(ptr %arraydecay62)
  %33 = load i64, ptr %total, align 8
  %c = getelementptr inbounds %struct.triple, ptr %t, i32 0, i32 2
  %34 = load i64, ptr %c, align 8
  %add63 = add nsw i64 %33, %34
  %a = getelementptr inbounds %struct.pair, ptr %p, i32 0, i32 0
  %35 = load i32, ptr %a, align 8
  %conv64 = sext i32 %35 to i64
  %add65 = add nsw i64 %add63, %conv64
  ret i64 %add65
}

; Function Attrs: noinline nounwind uwtable
define internal i32 @show(ptr noundef %format, ...) #0 {
entry:
  %format.addr = alloca ptr, align 8
  %args = alloca [1 x %struct.__va_list_tag], align 16
  %n = alloca i32, align 4
  store ptr %format, ptr %format.addr, align 8
  %arraydecay = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  call void @llvm.va_start.p0(ptr %arraydecay)
  %0 = load ptr, ptr %format.addr, align 8
  %arraydecay1 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  %call = call i32 @vprintf(ptr noundef %0, ptr noundef %arraydecay1) #4
  store i32 %call, ptr %n, align 4
  %arraydecay2 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %args, i64 0, i64 0
  call void @llvm.va_end.p0(ptr %arraydecay2)
  %1 = load i32, ptr %n, align 4
  ret i32 %1
}

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start.p0(ptr) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_copy.p0(ptr, ptr) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end.p0(ptr) #2

; Function Attrs: nounwind
declare i32 @vprintf(ptr noundef, ptr noundef) #3

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind willreturn }
attributes #3 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
