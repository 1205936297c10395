/**
 * What systemd is told of the service: {@code sd_notify(3)} over the datagram socket in {@code NOTIFY_SOCKET}.
 */
@NullMarked
package io.srpt.service.systemd;

import org.jspecify.annotations.NullMarked;
