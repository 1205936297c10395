# held.sh PID: what a process holds: open files, and objects of the RDMA devices. `name value` a line.
shopt -s nullglob
descriptors=(/proc/"$1"/fd/*)
echo "fd ${#descriptors[@]}"
# The kernel names the thread that made an object.
threads=$(cd /proc/"$1"/task && echo * | tr ' ' '|')
for kind in mr qp cq pd cm_id srq ctx; do
    echo "$kind $(rdma resource show $kind 2>/dev/null | grep -cE " pid ($threads) ")"
done
