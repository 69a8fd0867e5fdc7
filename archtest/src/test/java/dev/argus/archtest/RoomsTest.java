package dev.argus.archtest;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Floors: an arrow may only point to a lower floor; rooms of one floor do not know each other; no cycles. */
class RoomsTest {
    @Test
    void arrowsPointToLowerFloorsOnly() {
        floors(House.floors()).check(House.mainClasses());
    }

    @Test
    void everyRoomHasAFloorAndEveryFloorIsChecked() {
        Set<String> seen = new HashSet<>();
        House.mainClasses().forEach(type -> seen.add(House.roomOf(type)));

        assertThat(seen).isEqualTo(House.floors().keySet());
    }

    @Test
    void theFloorRuleFiresOnAnUpwardArrow() {
        JavaClasses upward = new ClassFileImporter()
                .importClasses(
                        dev.argus.archtest.fixture.low.PointsUp.class, dev.argus.archtest.fixture.high.Above.class);
        Map<String, Integer> fixture = Map.of("low", 0, "high", 1);
        ArchRule rule = ArchRuleDefinition.classes().should(pointDown(fixture, type -> last(type.getPackageName())));

        assertThatThrownBy(() -> rule.check(upward))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("low (floor 0) uses high (floor 1)");
    }

    @Test
    void roomsAndTheirPackagesHaveNoCycles() {
        slices().matching("dev.argus.(**)").should().beFreeOfCycles().check(House.mainClasses());
    }

    private static ArchRule floors(Map<String, Integer> floors) {
        return ArchRuleDefinition.classes().should(pointDown(floors, House::roomOf));
    }

    private static ArchCondition<JavaClass> pointDown(
            Map<String, Integer> floors, java.util.function.Function<JavaClass, String> roomOf) {
        return new ArchCondition<>("only use rooms of a lower floor") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String from = roomOf.apply(type);
                Integer floor = floors.get(from);
                if (floor == null) {
                    return;
                }
                type.getDirectDependenciesFromSelf().forEach(dependency -> {
                    String to = roomOf.apply(dependency.getTargetClass());
                    Integer below = floors.get(to);
                    if (below != null && !to.equals(from) && below >= floor) {
                        events.add(SimpleConditionEvent.violated(
                                type,
                                from + " (floor " + floor + ") uses " + to + " (floor " + below + "): "
                                        + dependency.getDescription()));
                    }
                });
            }
        };
    }

    private static String last(String packageName) {
        return packageName.substring(packageName.lastIndexOf('.') + 1);
    }
}
