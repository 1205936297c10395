package io.srpt.metrics;

import java.util.List;

/** Every metric: its name as Prometheus shows it, its labels, and what it means. The one place for all of them. */
public enum Metric {
    BUILD_INFO(Kind.GAUGE, "srpt_build_info", "Always 1; the labels tell what runs.", "version", "transport"),

    SESSIONS(Kind.GAUGE, "srpt_sessions", "Initiator and target port pairs that have a channel.", "port"),
    CHANNELS(Kind.GAUGE, "srpt_channels", "Channels by state.", "port", "state"),
    LOGINS(Kind.COUNTER, "srpt_logins_total", "Logins by result.", "port", "result"),
    LOGIN_REJECTS(Kind.COUNTER, "srpt_login_rejects_total", "Logins that were refused.", "reason"),
    CREDITS(Kind.GAUGE, "srpt_credits_available", "Units that initiators may still send.", "port"),

    COMMANDS(Kind.COUNTER, "srpt_commands_total", "SCSI commands that ended.", "lun", "op", "status"),
    COMMAND_DURATION(
            Kind.HISTOGRAM,
            "srpt_command_duration_seconds",
            "Time from the arrival of a command until its response is posted.",
            "op"),
    COMMANDS_INFLIGHT(Kind.GAUGE, "srpt_commands_inflight", "Commands and task management functions in hand.", "port"),
    COMMAND_REJECTS(
            Kind.COUNTER,
            "srpt_command_rejects_total",
            "Commands refused for their information unit, before any LUN saw them.",
            "reason"),
    BYTES(Kind.COUNTER, "srpt_bytes_total", "Bytes of READ and WRITE commands that ended well.", "lun", "direction"),
    LUN_COMMAND_SECONDS(
            Kind.COUNTER,
            "srpt_lun_command_seconds_total",
            "Time that the commands of a disk took, each from its arrival until its response is posted.",
            "lun",
            "op"),
    LUN_CAPACITY(Kind.GAUGE, "srpt_lun_capacity_bytes", "Size of a disk.", "lun"),
    STORE_ERRORS(Kind.COUNTER, "srpt_store_errors_total", "Operations that the store of a disk failed.", "lun"),
    TASK_MANAGEMENT(
            Kind.COUNTER,
            "srpt_task_management_total",
            "Task management functions that were answered.",
            "function",
            "response"),

    MAD_SEND_COMPLETIONS(
            Kind.COUNTER, "srpt_mad_send_completions_total", "Completions of management sends.", "port", "status"),
    MAD_SEND_DURATION(
            Kind.HISTOGRAM,
            "srpt_mad_send_duration_seconds",
            "Time from the post of a management send to its completion, the response included where one is awaited."),
    MAD_BUFFERS_OUTSTANDING(
            Kind.GAUGE,
            "srpt_mad_buffers_outstanding",
            "Buffers of sends that are not released and of received datagrams that are held.",
            "port"),
    MAD_BUFFERS_RELEASED(
            Kind.COUNTER,
            "srpt_mad_buffers_released_total",
            "Buffers of sends that were released, by the send handler or in its place.",
            "by"),
    MAD_RECEIVE(
            Kind.COUNTER,
            "srpt_mad_receive_total",
            "Management datagrams that came, by what became of them.",
            "attribute",
            "result"),
    EVENT_DROPS(Kind.COUNTER, "srpt_event_drops_total", "Events that slow observers missed.", "stream"),
    HANDLER_ERRORS(Kind.COUNTER, "srpt_handler_errors_total", "Exceptions that handlers threw.", "handler"),

    CQ_POLLS(Kind.COUNTER, "srpt_cq_polls_total", "Polls of completion queues.", "loop", "result"),
    CQ_BATCH_SIZE(Kind.HISTOGRAM, "srpt_cq_batch_size", "Completions of a poll that brought any."),
    LOOP_SECONDS(Kind.COUNTER, "srpt_loop_seconds_total", "Time of an event loop.", "loop", "mode"),
    LOOP_CYCLE_MAX(
            Kind.GAUGE,
            "srpt_loop_cycle_max_seconds",
            "Longest work between two waits in the last one to two minutes.",
            "loop"),
    WC_ERRORS(
            Kind.COUNTER,
            "srpt_wc_errors_total",
            "Work of channels that failed; work_request_flushed is what a channel's end leaves.",
            "opcode",
            "status"),

    ROCE_PACKETS(Kind.COUNTER, "srpt_roce_packets_total", "Packets by BTH opcode.", "direction", "opcode"),
    ROCE_RETRANSMITS(Kind.COUNTER, "srpt_roce_retransmits_total", "Request packets that were sent again.", "cause"),
    ROCE_ICRC_ERRORS(Kind.COUNTER, "srpt_roce_icrc_errors_total", "Packets dropped for their ICRC."),
    ROCE_RNR_NAKS(Kind.COUNTER, "srpt_roce_rnr_naks_total", "Receiver-not-ready NAKs.", "direction"),
    ROCE_SEQUENCE_ERRORS(
            Kind.COUNTER, "srpt_roce_sequence_errors_total", "Request packets that came before one that is missing."),
    ROCE_DUPLICATES(Kind.COUNTER, "srpt_roce_duplicates_total", "Request packets that had come before."),
    ROCE_DROPS(Kind.COUNTER, "srpt_roce_dropped_packets_total", "Packets dropped without an answer.", "cause"),

    BUFFERS(
            Kind.GAUGE,
            "srpt_buffers",
            "Buffers: 64 KiB of data, receives of channels, management datagrams.",
            "pool",
            "state"),
    REGISTERED_MEMORY(Kind.GAUGE, "srpt_registered_memory_bytes", "Memory that is registered for RDMA."),
    MEMORY_REGIONS(Kind.GAUGE, "srpt_memory_regions", "Memory regions that are registered."),
    QUEUE_PAIRS(Kind.GAUGE, "srpt_queue_pairs", "Queue pairs, those for management datagrams included."),
    ADDRESS_HANDLES(Kind.GAUGE, "srpt_address_handles", "Address handles.");

    /** What a metric is in Prometheus' words. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    private static final String COUNTER_SUFFIX = "_total";

    private final Kind kind;
    private final String prometheusName;
    private final String help;
    private final List<String> labels;

    Metric(Kind kind, String prometheusName, String help, String... labels) {
        this.kind = kind;
        this.prometheusName = prometheusName;
        this.help = help;
        this.labels = List.of(labels);
    }

    public Kind kind() {
        return kind;
    }

    /** As in {@code srpt_commands_total}. */
    public String prometheusName() {
        return prometheusName;
    }

    /** Micrometer's name, of which its Prometheus registry makes {@link #prometheusName()}: {@code srpt.commands}. */
    public String meterName() {
        String name = prometheusName.endsWith(COUNTER_SUFFIX)
                ? prometheusName.substring(0, prometheusName.length() - COUNTER_SUFFIX.length())
                : prometheusName;
        return name.replace('_', '.');
    }

    public String help() {
        return help;
    }

    /** Names of the labels, in order; the initiator's label, where it is on, comes on top. */
    public List<String> labels() {
        return labels;
    }
}
