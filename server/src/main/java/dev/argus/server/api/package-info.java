/**
 * What can be asked under {@code /api/v1}, and the documents of the answers. Entry: {@link dev.argus.server.api.Api}, which declares all routes; the OpenAPI document is made
 * from the same declarations.
 *
 * <p>Threads: everything is stateless or thread-safe.
 *
 * <p>Must not import the other packages of the server but {@code config}, {@code access}, {@code http} and {@code job}. What it needs of others comes through ports that are
 * declared here: {@link dev.argus.server.api.ControlDesk}, {@link dev.argus.server.api.ObjectUploads}.
 */
@NullMarked
package dev.argus.server.api;

import org.jspecify.annotations.NullMarked;
