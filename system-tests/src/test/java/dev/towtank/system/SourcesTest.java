package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SourcesTest {
    private static final int MAX_LINES = 500;
    private static final int MAX_FILES = 40;
    private static final int MAX_MEANINGS = 2;

    private static final List<Path> MAIN = Checkout.files(".java").stream()
            .filter(file -> file.toString().contains("/src/main/java/"))
            .toList();

    private static final Set<String> MAY_BE_LONGER = Set.of(
            "Json.java" // a sealed interface is one file with all that implements it
            );

    private static final Set<String> NOT_SHIPPED = Set.of(
            "junit", // for other people's tests
            "system-tests");

    @Test
    void filesAreShortEnoughToBeRead() {
        assertThat(MAIN).isNotEmpty();
        assertThat(MAIN.stream()
                        .filter(file ->
                                !MAY_BE_LONGER.contains(file.getFileName().toString()))
                        .filter(file -> Checkout.read(file).lines().count() > MAX_LINES))
                .isEmpty();
    }

    @Test
    void packagesAreSmallEnoughToBeKnown() {
        var sizes = MAIN.stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));

        assertThat(sizes.entrySet())
                .filteredOn(each -> each.getValue() > MAX_FILES)
                .isEmpty();
    }

    /// Who reads of one should not have to guess which.
    @Test
    void namesMeanFewThings() {
        var meanings = MAIN.stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(Path::getFileName, TreeMap::new, Collectors.counting()));

        assertThat(meanings.entrySet())
                .filteredOn(each -> each.getValue() > MAX_MEANINGS)
                .isEmpty();
    }

    @Test
    void nothingIsLeftForLater() {
        // Put together, so that this file does not find itself.
        var leftOver = Pattern.compile("\\b(" + String.join("|", "TO" + "DO", "FIX" + "ME", "X" + "XX") + ")\\b");

        assertThat(Checkout.files(".java").stream()
                        .filter(file -> leftOver.matcher(Checkout.read(file)).find()))
                .isEmpty();
    }

    @Test
    void theLauncherBuildsEveryModuleThatItShips() {
        var modules = Pattern.compile("<module>(\\S+)</module>")
                .matcher(Checkout.read(Checkout.ROOT.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .filter(module -> !NOT_SHIPPED.contains(module))
                .toList();

        assertThat(Checkout.read(Checkout.ROOT.resolve("towtank")))
                .contains("\nmodules=(" + String.join(" ", modules) + ")\n");
    }
}
