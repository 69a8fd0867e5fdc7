package dev.argus.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test, or all tests of a class, that needs more than a JDK and Maven. Where a need is missing the test is
 * skipped and recorded, and {@code ./build} says so in its last line. With {@code ARGUS_REQUIRE=all} it fails instead.
 * Such tests carry the tag {@code needs}: {@code ./build -DexcludedGroups=needs} leaves them out.
 *
 * <pre>{@code
 * @Test
 * @Requires(Need.SHARED)
 * void readsEveryPublicTrace() { ... Shared.path("data/cases") ... }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("needs")
@ExtendWith(RequiresExtension.class)
public @interface Requires {
    /** {@return everything the test needs; all of it must be there} */
    Need[] value();
}
