package io.srpt.functions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The table of {@code srpt-core/README.md}. */
final class FunctionTable {
    /** All functions that the driver's manual lists. */
    static final List<String> DRIVER =
            Stream.of("""
                    mad_send_handler event_handler srq_event qp_event set_ioc get_class_port_info get_iou get_ioc
                    get_svc_entries mgmt_method_get mad_recv_handler refresh_port unregister_mad_agent alloc_ioctx
                    free_ioctx alloc_ioctx_ring free_ioctx_ring set_cmd_state test_and_set_cmd_state post_recv
                    zerolength_write get_desc_tbl init_ch_qp ch_qp_rtr ch_qp_rts ch_qp_err get_send_ioctx abort_cmd
                    rdma_read_done build_cmd_rsp build_tskmgmt_rsp handle_cmd handle_tsk_mgmt handle_new_iu send_done
                    create_ch_ib close_ch cm_req_recv cm_rtu_recv cm_handler queue_response release_sport lookup_port
                    add_one remove_one close_session parse_i_port_id make_tpg drop_tpg make_tport drop_tport
                    init_module""".strip().split("\\s+")).map(name -> "srpt_" + name).toList();

    private static final Pattern ROW =
            Pattern.compile("\\| `(srpt_\\w+)` \\| `([\\w.]+)#(\\w+)` \\| `([\\w.]+)#(\\w+)` \\|.*\\|");
    private static final String ROOT = "io.srpt.";

    private FunctionTable() {}

    /**
     * One function.
     *
     * @param type what serves it, with its method
     * @param test what shows it, with its method
     */
    record Row(String function, String type, String method, String test, String testMethod) {}

    static List<Row> read(Path readme) throws IOException {
        return Files.readAllLines(readme).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> new Row(row.group(1), ROOT + row.group(2), row.group(3), ROOT + row.group(4), row.group(5)))
                .toList();
    }
}
