#!/bin/bash
# Checks a program on a Slurm cluster: an array of tasks, each of which explores a part.
#
#   everyway check queue.c --algorithm graphs --timeout 10
#   everyway split .everyway/queue.frontier -n 64
#   sbatch --wait --array=0-63 docs/examples/slurm.sh .everyway/queue
#   everyway merge .everyway/queue-*.result
#
# The folder is one that all nodes share. A task that is run again, after its node was lost, writes the same result. One
# that is ended by the time limit of the cluster has two minutes to write what it has come to.
#SBATCH --job-name=everyway
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --signal=TERM@120
#SBATCH --requeue
#SBATCH --output=/dev/null

# That a part is not everything (status 3), or has a bug (status 1), is for `merge` to say.
srun everyway explore "$1-$SLURM_ARRAY_TASK_ID.part" --jobs "${SLURM_CPUS_PER_TASK:-1}"
[ $? -ne 2 ]
