package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class WallsTest {
    private static final Map<String, ArchRule> RULES = Walls.all();

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            // The jar with what tests share.
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.towtank");

    /// Which planted class breaks which rule. They lie under `src/test/java`, in the packages that the rules are about.
    private static final Map<String, String> PLANTED = Map.ofEntries(
            Map.entry("module model", "dev.towtank.model.planted.SeesCluster"),
            Map.entry("module cluster", "dev.towtank.cluster.planted.SeesApiserver"),
            Map.entry("module apiserver", "dev.towtank.apiserver.planted.SeesController"),
            Map.entry("module controllers", "dev.towtank.controllers.planted.SeesApiserver"),
            Map.entry("module node", "dev.towtank.node.planted.SeesApiserver"),
            Map.entry("module archive", "dev.towtank.archive.planted.SeesApiserver"),
            Map.entry("module app", "dev.towtank.app.planted.SeesTests"),
            Map.entry("module junit", "dev.towtank.junit.planted.SeesController"),
            Map.entry("fence com.fasterxml.jackson", "dev.towtank.model.planted.UsesJackson"),
            Map.entry("fence org.yaml", "dev.towtank.model.planted.UsesYaml"),
            Map.entry("fence dev.cel", "dev.towtank.model.planted.UsesCel"),
            Map.entry("fence org.eclipse.jgit", "dev.towtank.apiserver.planted.UsesJgit"),
            Map.entry("fence org.eclipse.jetty", "dev.towtank.apiserver.planted.UsesJetty"),
            Map.entry("fence java.sql", "dev.towtank.apiserver.planted.UsesJdbc"),
            Map.entry("fence org.sqlite", "dev.towtank.apiserver.planted.UsesSqlite"),
            Map.entry("fence org.bouncycastle", "dev.towtank.apiserver.planted.UsesBouncyCastle"),
            Map.entry("fence io.fabric8", "dev.towtank.cluster.planted.UsesFabric8"),
            Map.entry("fence io.prometheus", "dev.towtank.apiserver.planted.UsesPrometheus"),
            Map.entry("fence org.apache.commons.compress", "dev.towtank.apiserver.planted.UsesCompress"),
            Map.entry("fence picocli", "dev.towtank.apiserver.planted.UsesPicocli"),
            Map.entry("clock", "dev.towtank.apiserver.planted.ReadsClock"),
            Map.entry("processes", "dev.towtank.apiserver.planted.StartsProcess"),
            Map.entry("console", "dev.towtank.apiserver.planted.Prints"),
            Map.entry("null-marked", "dev.towtank.apiserver.planted.Prints"),
            Map.entry("cycles", "dev.towtank.apiserver.planted"),
            Map.entry("names", "dev.towtank.apiserver.planted.PlantedManager"),
            Map.entry("siblings", "dev.towtank.controllers.planted.SeesSibling"),
            Map.entry("decisions", "dev.towtank.controllers.planted.DecidesWithAThread"),
            Map.entry("facts", "dev.towtank.controllers.planted.WritesItsFacts"),
            Map.entry("outside", "dev.towtank.controllers.planted.ReadsFile"),
            Map.entry("values", "dev.towtank.model.planted.ReadsFile"));

    @TestFactory
    Stream<DynamicTest> codeKeepsTheRule() {
        return RULES.entrySet().stream()
                .map(rule -> DynamicTest.dynamicTest(
                        rule.getKey(), () -> rule.getValue().check(MAIN)));
    }

    @TestFactory
    Stream<DynamicTest> aViolationBreaksTheRule() {
        return RULES.entrySet().stream()
                .map(rule -> DynamicTest.dynamicTest(rule.getKey(), () -> {
                    var planted = planted(PLANTED.get(rule.getKey()));
                    assertThat(planted).isNotEmpty();
                    assertThatThrownBy(() -> rule.getValue().check(planted))
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining("planted");
                }));
    }

    @Test
    void everyModuleIsChecked() {
        var modules = Set.of("model", "cluster", "apiserver", "controllers", "node", "archive", "app", "junit");

        assertThat(modules)
                .allSatisfy(module -> assertThat(MAIN.stream())
                        .anyMatch(type -> type.getPackageName().matches("dev\\.towtank\\." + module + "(\\..*)?")));
    }

    private static JavaClasses planted(String name) {
        var importer = new ClassFileImporter();
        return Character.isUpperCase(name.charAt(name.lastIndexOf('.') + 1))
                ? importer.importClasses(withNested(load(name)))
                : importer.importPackages(name);
    }

    private static Class<?>[] withNested(Class<?> type) {
        return Stream.concat(Stream.of(type), Stream.of(type.getDeclaredClasses()))
                .toArray(Class<?>[]::new);
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, WallsTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError("no class is planted as " + name, e);
        }
    }
}
