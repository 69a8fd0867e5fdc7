package dev.argus.archtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Calls into native code stand in few rooms only: where they do, a mistake ends the process. */
class NativeTest {
    private static final Set<String> ROOMS = Set.of("ring", "stacks");

    @Test
    void onlyRingAndStacksCallNativeCode() {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : House.mainClasses()) {
            boolean calls = type.getAccessesFromSelf().stream()
                    .anyMatch(a -> a.getTargetOwner().getName().startsWith("java.lang.foreign.Linker"));
            if (calls) {
                found.add(House.roomOf(type));
            }
        }
        assertThat(found).contains("stacks").isSubsetOf(ROOMS);
    }
}
