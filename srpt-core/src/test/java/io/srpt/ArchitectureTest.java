package io.srpt;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Holds the arrows between the packages of the core. A package may use those that its row names, the leaves, and
 * itself; a new package needs a row.
 */
class ArchitectureTest {
    private static final List<String> LEAVES = List.of("counter..", "time..");

    private static final List<Arrows> ARROWS = List.of(
            new Arrows("counter..", List.of()),
            new Arrows("time..", List.of("counter..")),
            new Arrows("verbs..", List.of()),
            new Arrows("loop..", List.of("verbs..")),
            new Arrows("mad", List.of("verbs..")),
            new Arrows("mad.dm..", List.of("mad..", "verbs..")),
            new Arrows("roce", List.of("roce..", "loop..", "verbs..", "mad..")),
            new Arrows("roce.packet..", List.of("verbs..")),
            new Arrows("roce.net..", List.of("roce.packet..", "loop..", "verbs..")),
            new Arrows("roce.cm..", List.of("roce..", "loop..", "verbs..", "mad..")),
            new Arrows("disni..", List.of("loop..", "verbs..", "mad..")),
            new Arrows("srp..", List.of()),
            new Arrows("durable..", List.of()),
            new Arrows("memory..", List.of()),
            new Arrows("store", List.of("durable..", "memory..")),
            new Arrows("store.testing..", List.of("store..")),
            new Arrows("scsi..", List.of("store..")),
            new Arrows("target..", List.of("srp..", "scsi..", "mad..", "memory..", "verbs..")),
            new Arrows("initiator..", List.of("srp..", "scsi..", "mad..", "verbs..")));

    /** One row: the classes of a package, and the packages of the project that they may use beside the leaves. */
    private record Arrows(String from, List<String> to) {
        String[] allowed() {
            return Stream.of(Stream.of(from), to.stream(), LEAVES.stream())
                    .flatMap(names -> names)
                    .map(Arrows::qualified)
                    .toArray(String[]::new);
        }

        static String qualified(String name) {
            return "io.srpt." + name;
        }
    }

    private static JavaClasses core;

    @BeforeAll
    static void importClasses() {
        core = new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/"))
                .importPackages("io.srpt");
    }

    @TestFactory
    Stream<DynamicTest> packageUsesOnlyWhatItsArrowsAllow() {
        return ARROWS.stream()
                .map(arrows -> DynamicTest.dynamicTest(
                        arrows.from(),
                        () -> classes()
                                .that()
                                .resideInAPackage(Arrows.qualified(arrows.from()))
                                .should()
                                .onlyDependOnClassesThat(notOfThisProject().or(resideInAnyPackage(arrows.allowed())))
                                .allowEmptyShould(true)
                                .check(core)));
    }

    @Test
    void everyPackageHasItsArrows() {
        String[] known =
                ARROWS.stream().map(arrows -> Arrows.qualified(arrows.from())).toArray(String[]::new);
        classes().should().resideInAnyPackage(known).check(core);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.srpt.(**)").should().beFreeOfCycles().check(core);
    }

    @Test
    void nettyStaysInLoopsAndSoftwareRoce() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.srpt.loop..", "io.srpt.roce..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .check(core);
    }

    @Test
    void disniStaysInItsProvider() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.srpt.disni..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.ibm.disni..")
                .check(core);
    }

    @Test
    void coreKnowsNeitherReactorNorMicrometerNorHttp() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "reactor..", "org.reactivestreams..", "io.micrometer..", "io.netty.handler.codec.http..")
                .check(core);
    }

    /** Deadlines and ages are of the monotonic clock: a step of the wall clock fires no timer and keeps none back. */
    @Test
    @Tag("pitfall-110")
    void onlyWhatTellsTheTimeOfDayLooksAtTheClockOnTheWall() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.srpt.scsi..")
                .and()
                .doNotHaveFullyQualifiedName("io.srpt.roce.net.CapturingDatagramPort")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.time.Clock")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Date")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .check(core);
    }

    private static DescribedPredicate<JavaClass> notOfThisProject() {
        return DescribedPredicate.not(resideInAnyPackage("io.srpt.."));
    }
}
