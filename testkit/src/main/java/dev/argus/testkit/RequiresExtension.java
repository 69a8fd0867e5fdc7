package dev.argus.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Skips, records or fails the tests marked {@link Requires}. Settings, each a configuration parameter of JUnit or a
 * system property: {@code argus.require} ({@code all}: fail; else the environment's {@code ARGUS_REQUIRE}),
 * {@code argus.skips} (folder of the records), {@code argus.missing} (names of needs to take as missing).
 */
final class RequiresExtension implements ExecutionCondition, BeforeEachCallback {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        List<Need> missing = missing(context);
        if (missing.isEmpty() || failing(context)) {
            return ConditionEvaluationResult.enabled("every need is met, or its lack is to fail");
        }
        record(context, missing);
        return ConditionEvaluationResult.disabled(describe(missing));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        List<Need> missing = missing(context);
        if (!missing.isEmpty()) {
            throw new AssertionError(describe(missing) + " (ARGUS_REQUIRE=all makes this a failure)");
        }
    }

    private static String describe(List<Need> missing) {
        return missing.stream()
                .map(need -> "needs " + need + ", which is missing: " + need.remedy())
                .collect(Collectors.joining("; "));
    }

    private static boolean failing(ExtensionContext context) {
        return context.getConfigurationParameter("argus.require")
                .or(() -> Optional.ofNullable(System.getenv("ARGUS_REQUIRE")))
                .filter("all"::equals)
                .isPresent();
    }

    private static List<Need> missing(ExtensionContext context) {
        String pretended = context.getConfigurationParameter("argus.missing").orElse("");
        List<Need> missing = new ArrayList<>();
        for (Need need : needs(context)) {
            if (pretended.contains(need.name()) || !need.isMet()) {
                missing.add(need);
            }
        }
        return missing;
    }

    /** The needs of the test method and of the classes around it. */
    private static List<Need> needs(ExtensionContext context) {
        List<Need> needs = new ArrayList<>();
        for (Optional<ExtensionContext> at = Optional.of(context);
                at.isPresent();
                at = at.get().getParent()) {
            AnnotationSupport.findAnnotation(at.get().getElement(), Requires.class)
                    .ifPresent(requires -> needs.addAll(List.of(requires.value())));
        }
        return needs.stream().distinct().toList();
    }

    private static void record(ExtensionContext context, List<Need> missing) {
        Optional<String> folder = context.getConfigurationParameter("argus.skips");
        if (folder.isEmpty()) {
            return;
        }
        List<String> tests = context.getTestMethod()
                .map(method -> List.of(name(context.getRequiredTestClass(), method)))
                .orElseGet(() -> testsOf(context.getRequiredTestClass()));
        List<String> lines = new ArrayList<>();
        for (String test : tests) {
            for (Need need : missing) {
                lines.add(need.name() + "\t" + need.remedy() + "\t" + test);
            }
        }
        try {
            Path file = Path.of(folder.get()).resolve(ProcessHandle.current().pid() + ".tsv");
            Files.createDirectories(file.getParent());
            Files.write(file, lines, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot record a skipped test in " + folder.get(), e);
        }
    }

    private static List<String> testsOf(Class<?> type) {
        List<String> tests = new ArrayList<>();
        for (Method method : type.getDeclaredMethods()) {
            if (AnnotationSupport.isAnnotated(method, Testable.class)) {
                tests.add(name(type, method));
            }
        }
        for (Class<?> inner : type.getDeclaredClasses()) {
            tests.addAll(testsOf(inner));
        }
        return tests;
    }

    private static String name(Class<?> type, Method method) {
        return type.getName() + "." + method.getName();
    }
}
