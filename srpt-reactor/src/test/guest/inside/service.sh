# service.sh start NAME COMMAND...: runs a program that stays; /share/NAME.log has all that it prints, NAME.pid its pid,
# NAME.status, once it has ended, its exit status.
# service.sh stop NAME SECONDS: SIGTERM; an error when it does not end.
. /guest/guest.sh
files=/share/$2
case $1 in
start)
    shift 2
    rm -f "$files".{pid,status}
    (
        "$@" >"$files.log" 2>&1 </dev/null &
        echo $! >"$files.pid"
        wait $!
        echo $? >"$files.status"
    ) >/dev/null 2>&1 &
    wait_for 5 test -s "$files.pid" || die "$1 does not start"
    ;;
stop)
    kill "$(<"$files.pid")" 2>/dev/null
    wait_for "$3" test -s "$files.status" || die "$2 does not end"
    ;;
esac
