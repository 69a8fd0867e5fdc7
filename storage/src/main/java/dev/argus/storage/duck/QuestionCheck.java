package dev.argus.storage.duck;

import dev.argus.storage.QueryException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a question only reads what users may see. The database's own parser tells what it consists of ({@code json_serialize_sql} takes nothing but statements that select), and each part must be one that is known to be harmless;
 * what is run then is written anew from these parts, so that what is checked and what is run cannot differ.
 */
final class QuestionCheck {
    private static final int MOST_BYTES = 16 << 10;
    private static final int MOST_NODES = 20_000;
    private static final String TABLES = "\"tables\"";
    private static final String HOW = "; see docs/query.md";

    private static final Set<String> NODES =
            Set.of("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE");

    /** What a part has besides: named members of it that are texts, and the members that other parts are. */
    private static final String PARTS =
            "SELECT parent, id, key, type, json_extract_string(atom, '$') FROM json_tree(?::JSON) WHERE (type ="
                    + " 'VARCHAR' AND key IN ('type', 'class', 'function_name', 'schema', 'catalog', 'schema_name',"
                    + " 'catalog_name', 'table_name', 'show_type', 'key')) OR (type = 'OBJECT' AND key ="
                    + " 'function') LIMIT " + (MOST_NODES + 1);

    private final Connection on;
    private final Map<Long, Map<String, String>> parts = new HashMap<>();
    private final Map<Long, Long> functionOf = new HashMap<>();
    private final Set<String> named = new HashSet<>();

    private QuestionCheck(Connection on) {
        this.on = on;
    }

    /**
     * The question as it may be run: one statement without its end.
     *
     * @throws QueryException if it may not
     */
    static String check(Connection on, String sql) throws QueryException, SQLException {
        if (sql.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw new QueryException("the question is longer than " + MOST_BYTES + " bytes");
        }
        return new QuestionCheck(on).whole(sql);
    }

    private String whole(String sql) throws QueryException, SQLException {
        String tree = Sql.list(on, "SELECT json_serialize_sql(?::VARCHAR)", r -> r.getString(1), sql)
                .getFirst();
        List<@Nullable String> outcome = Sql.list(
                        on,
                        "SELECT json_extract_string(t, '$.error'), json_extract_string(t, '$.error_message'),"
                                + " json_array_length(t, '$.statements')::VARCHAR FROM (SELECT ?::JSON AS t)",
                        r -> java.util.Arrays.<@Nullable String>asList(r.getString(1), r.getString(2), r.getString(3)),
                        tree)
                .getFirst();
        if (!"false".equals(outcome.get(0))) {
            String why = String.valueOf(outcome.get(1));
            throw new QueryException(
                    why.contains("SELECT statements")
                            ? "only statements that read are answered: SELECT, WITH, FROM, DESCRIBE, SUMMARIZE, SHOW"
                                    + " TABLES" + HOW
                            : why);
        }
        if (!"1".equals(outcome.get(2))) {
            throw new QueryException("found " + outcome.get(2) + " statements, expected one");
        }
        parts(tree);
        judge();
        String text = Sql.list(on, "SELECT json_deserialize_sql(?::JSON)", r -> r.getString(1), tree)
                .getFirst();
        return text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
    }

    private void parts(String tree) throws QueryException, SQLException {
        List<String[]> rows = Sql.list(
                on,
                PARTS,
                r -> new String[] {r.getString(1), r.getString(2), r.getString(3), r.getString(4), r.getString(5)},
                tree);
        if (rows.size() > MOST_NODES) {
            throw new QueryException("the question has too many parts");
        }
        for (String[] row : rows) {
            long parent = Long.parseLong(row[0]);
            if (row[3].equals("OBJECT")) {
                functionOf.put(Long.parseLong(row[1]), parent);
            } else {
                parts.computeIfAbsent(parent, p -> new HashMap<>()).put(row[2], row[4]);
            }
        }
        for (Map<String, String> part : parts.values()) {
            // A name that WITH gives; it must not look like anything the database itself has.
            if (part.size() == 1 && part.containsKey("key")) {
                String name = part.get("key").toLowerCase(Locale.ROOT);
                if (!name.matches("[a-z_][a-z0-9_]{0,62}") || name.matches("(duckdb|pragma|sqlite|pg|kept)_?.*")) {
                    throw new QueryException("WITH names '" + name
                            + "': expected a name of letters, digits and _, that begins otherwise" + HOW);
                }
                named.add(name);
            }
        }
    }

    private void judge() throws QueryException {
        for (var entry : parts.entrySet()) {
            Map<String, String> part = entry.getValue();
            String type = part.getOrDefault("type", "");
            if (type.endsWith("_NODE") && !NODES.contains(type)) {
                throw new QueryException("only statements that read are answered" + HOW);
            }
            for (String qualifier : List.of("schema", "catalog", "schema_name", "catalog_name")) {
                if (!part.getOrDefault(qualifier, "").isEmpty()) {
                    throw new QueryException("'" + part.get(qualifier)
                            + ".': tables and functions are written without a schema or database" + HOW);
                }
            }
            switch (type) {
                case "BASE_TABLE" -> table(part.getOrDefault("table_name", ""));
                case "SHOW_REF" -> shown(part.getOrDefault("table_name", ""));
                case "LAMBDA", "VALUE_PARAMETER" ->
                    throw new QueryException("lambdas and parameters are not answered" + HOW);
                default -> {}
            }
            String function = part.get("function_name");
            if (function != null) {
                function(function.toLowerCase(Locale.ROOT), isTable(entry.getKey()));
            }
        }
    }

    private boolean isTable(long function) {
        Long table = functionOf.get(function);
        return table != null
                && "TABLE_FUNCTION".equals(parts.getOrDefault(table, Map.of()).get("type"));
    }

    private void table(String name) throws QueryException {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!UserViews.names().contains(lower) && !named.contains(lower)) {
            throw new QueryException(
                    "found no table '" + name + "', expected one of " + String.join(", ", UserViews.names()) + HOW);
        }
    }

    private void shown(String name) throws QueryException {
        if (!name.isEmpty() && !name.equals(TABLES)) {
            table(name);
        }
    }

    private static void function(String name, boolean table) throws QueryException {
        if (table ? !QuestionFunctions.TABLES.contains(name) : !QuestionFunctions.isAllowed(name)) {
            throw new QueryException("the function '" + name + "' is not among those that questions may use" + HOW);
        }
    }
}
