# kernel-target.sh SIZE_MB: the kernel's own SRP target (ib_srpt) with a memory disk. Prints the lines that an
# initiator needs, as srpt's serve does.
. /guest/guest.sh
target=/sys/kernel/config/target
port=5555
# The path MTU is what the initiator asks for.
rdma_up 9000
mkdir -p /etc/target/pr /var/target/pr
modprobe -a target_core_mod configfs || die "no target_core_mod"
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
modprobe ib_srpt || die "no ib_srpt"
store=$target/core/rd_mcp_0/disk
mkdir -p $store
echo "rd_pages=$(($1 * 256))" >$store/control
echo 1 >$store/enable || die "no memory disk"
mkdir -p $target/srpt
echo $port >$target/srpt/discovery_auth/rdma_cm_port || die "no RDMA/CM port"
gid=$(cat /sys/class/infiniband/rxe0/ports/1/gids/0)
name=${gid:20}
group=$target/srpt/$name/$name
mkdir -p "$group/lun/lun_0" || die "no target port $name"
ln -s $store "$group/lun/lun_0/disk"
# ib_srpt looks the access list up by the text of its own address.
for address in "$IP4" $(grep -h ^fd5a: /sys/class/infiniband/rxe0/ports/1/gids/*); do
    mkdir -p "$group/acls/$address/lun_0"
    ln -s "$group/lun/lun_0" "$group/acls/$address/lun_0/disk"
done
echo 1 >"$group/enable" || die "the target port does not open"
guid=$(cat /sys/module/ib_srpt/parameters/srpt_service_guid)
guid=${guid#0x}
echo "id_ext=$guid,ioc_guid=$guid,dest=$IP4:$port"
echo "id_ext=$guid,ioc_guid=$guid,dest=[$IP6]:$port"
