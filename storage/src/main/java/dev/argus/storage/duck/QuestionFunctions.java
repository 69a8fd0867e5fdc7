package dev.argus.storage.duck;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Functions that a question may use. A list of what is allowed, not of what is not: the database has over a thousand, some of them read settings, sleep, or make gigabytes of a few bytes where no limit of memory sees it
 * ({@code repeat}, {@code lpad}, {@code printf}, {@code replace}, {@code concat}, lambdas, lists of a given length), and newer versions bring more.
 */
final class QuestionFunctions {
    /** In the place of a table. */
    static final Set<String> TABLES = Set.of("range", "generate_series", "unnest");

    private static final Set<String> ALLOWED = Stream.of(
                    // operators
                    "+ - * / // % ** ^ & | ~ << >> || ~~ !~~ ~~* !~~* ~~~ ^@ -> ->> add subtract multiply divide mod",
                    // aggregates
                    "count count_star count_if countif sum fsum kahan_sum sumkahan avg mean favg min max median mode",
                    "quantile quantile_cont quantile_disc percentile_cont percentile_disc approx_quantile mad product",
                    "stddev stddev_samp stddev_pop variance var_samp var_pop sem skewness kurtosis entropy geomean",
                    "geometric_mean corr covar_pop covar_samp regr_slope regr_intercept regr_r2 regr_count",
                    "arg_max arg_min argmax argmin max_by min_by first last any_value arbitrary list array_agg",
                    "string_agg group_concat listagg histogram approx_count_distinct approx_top_k",
                    "bool_and bool_or bit_and bit_or bit_xor grouping grouping_id weighted_avg wavg",
                    // windows
                    "row_number rank rank_dense dense_rank percent_rank cume_dist ntile lag lead first_value",
                    "last_value nth_value fill",
                    // numbers
                    "abs ceil ceiling floor round trunc sign sqrt cbrt exp ln log log2 log10 pow power greatest least",
                    "isnan isinf isfinite sin cos tan asin acos atan atan2 pi degrees radians bit_count hash",
                    // texts; none makes more than it is given
                    "lower upper lcase ucase length len strlen char_length character_length left right substr",
                    "substring trim ltrim rtrim contains starts_with ends_with suffix prefix strpos instr position",
                    "split_part string_split str_split split regexp_matches regexp_full_match regexp_extract",
                    "like_escape not_like_escape ilike_escape not_ilike_escape reverse ascii ord unicode chr",
                    "translate md5 sha256 format_bytes formatreadablesize typeof error_if_null",
                    // times
                    "date_trunc datetrunc date_part datepart date_diff datediff date_sub datesub date_add now",
                    "get_current_timestamp current_timestamp transaction_timestamp today current_date to_timestamp",
                    "epoch epoch_ms epoch_us epoch_ns make_date make_time make_timestamp make_timestamp_ms",
                    "make_timestamp_ns make_timestamptz strftime strptime try_strptime time_bucket age century",
                    "year quarter month week day hour minute second millisecond microsecond nanosecond dayofweek",
                    "dayofmonth dayofyear weekofyear isodow isoyear weekday yearweek dayname monthname last_day",
                    "to_seconds to_minutes to_hours to_days to_weeks to_months to_years to_milliseconds",
                    "to_microseconds timezone",
                    // lists and structs
                    "list_value array_value list_extract array_extract list_element list_slice array_slice",
                    "list_contains list_has array_contains list_position list_sort list_reverse_sort list_distinct",
                    "list_unique list_sum list_min list_max list_avg list_median list_count array_length",
                    "struct_pack struct_extract struct_extract_at row unnest map map_keys map_values map_extract",
                    "element_at cardinality flatten",
                    // conditions
                    "coalesce nullif ifnull if",
                    // the document of an incident
                    "json_extract json_extract_string json_extract_path json_extract_path_text json_array_length",
                    "json_type json_valid json_keys json_exists json_value")
            .flatMap(line -> Stream.of(line.split(" ")))
            .collect(Collectors.toUnmodifiableSet());

    private QuestionFunctions() {}

    static boolean isAllowed(String name) {
        return ALLOWED.contains(name);
    }
}
