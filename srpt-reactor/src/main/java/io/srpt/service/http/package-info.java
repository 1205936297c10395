/**
 * The service's HTTP side: metrics, health, status and events for everybody, changes for who carries the token.
 *
 * <pre>
 *   GET /metrics ─▶ MetricsSource     GET /healthz, /readyz ─▶ Health
 *   GET /api/v1/… ─▶ StatusSource     GET /events ─▶ EventSource (server-sent events)
 *   POST, DELETE … /api/v1/… ─▶ ChangeRequests (BearerToken, length) ─▶ Api
 *   all connections: Connections (how many, how slow)
 * </pre>
 */
@NullMarked
package io.srpt.service.http;

import org.jspecify.annotations.NullMarked;
