/**
 * The service's HTTP side, read-only: metrics, health, status and events.
 *
 * <pre>
 *   GET /metrics ─▶ MetricsSource     GET /healthz, /readyz ─▶ Health
 *   GET /api/v1/… ─▶ StatusSource     GET /events ─▶ EventSource (server-sent events)
 * </pre>
 */
@NullMarked
package io.srpt.service.http;

import org.jspecify.annotations.NullMarked;
