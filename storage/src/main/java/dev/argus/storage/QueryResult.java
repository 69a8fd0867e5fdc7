package dev.argus.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer.
 *
 * @param columns names
 * @param types types as the database names them
 * @param rows values: null, Boolean, Long, Double or String
 * @param cut true when there were more rows
 */
public record QueryResult(List<String> columns, List<String> types, List<List<@Nullable Object>> rows, boolean cut) {}
