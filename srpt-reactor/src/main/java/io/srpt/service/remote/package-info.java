/**
 * The commands that ask a running service for something, and have it changed: {@code srpt session}, {@code lun}, {@code port} and
 * {@code config}. They know the service by its HTTP side only.
 *
 * <pre>
 *   SessionCommand, LunCommand, PortCommand, ConfigCommand ─▶ RemoteService ── HTTP, token ──▶ /api/v1/ of the service
 *                                                        └──▶ RemoteOptions ─▶ Table, or JSON
 * </pre>
 */
@NullMarked
package io.srpt.service.remote;

import org.jspecify.annotations.NullMarked;
