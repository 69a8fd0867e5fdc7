package dev.argus.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a class with one fuzz target; its name ends in {@code Fuzz}, so that the build runs it apart, in a JVM of its own. What the
 * fuzzer's native half says goes to {@code target/fuzz/<class>.log}, for it goes around the streams that the build catches.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Requires(Need.FUZZER)
@ExtendWith(FuzzLog.class)
public @interface Fuzzed {}
