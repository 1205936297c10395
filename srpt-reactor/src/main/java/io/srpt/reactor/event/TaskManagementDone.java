package io.srpt.reactor.event;

import io.srpt.target.ChannelInfo;

/**
 * A task management function was answered.
 *
 * @param channel who asked
 * @param function the function's code, such as 0x01 for ABORT TASK and 0x08 for LUN RESET
 * @param lun the eight raw bytes of the LUN
 * @param taskTag tag of the task that it names
 * @param response the response code: 0 done, 4 not supported, 5 failed
 */
public record TaskManagementDone(ChannelInfo channel, int function, long lun, long taskTag, int response)
        implements TaskManagementEvent {
    @Override
    public String port() {
        return channel.port();
    }
}
