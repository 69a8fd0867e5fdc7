/**
 * Alerts about incidents to Alertmanager and other webhooks. Entry: {@link dev.argus.server.alerts.AlertService}; the method is {@code docs/design/0015-alerts.md}.
 *
 * <p>Threads: the service owns one virtual thread, and one for each webhook; everything else has none and no clock. Must not import {@code metrics}, {@code http}, {@code api},
 * {@code ingest}, {@code control}.
 */
@NullMarked
package dev.argus.server.alerts;

import org.jspecify.annotations.NullMarked;
