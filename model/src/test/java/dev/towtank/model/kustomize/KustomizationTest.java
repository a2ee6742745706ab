package dev.towtank.model.kustomize;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.files.FileTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Repositories in files, each with the objects that come out or how it fails.
class KustomizationTest {

    private static final List<String> FILES = List.of(
            "composition.yaml",
            "names.yaml",
            "patches.yaml",
            "generators.yaml",
            "replacements.yaml",
            "vars.yaml",
            "configurations.yaml",
            "plugins.yaml",
            "refused.yaml");

    @TestFactory
    Stream<DynamicTest> repositories() {
        return FILES.stream()
                .flatMap(file -> cases(file).stream()
                        .map(test -> dynamicTest(file + ": " + test.string("name"), () -> check(test))));
    }

    @Test
    void remoteBasesComeFromWhoeverMayFetchThem() {
        var files =
                tree(Map.of("kustomization.yaml", "namePrefix: my-\nresources: ['https://example.com/repo?ref=v1']"));
        RemoteBases remote = url -> {
            assertEquals("https://example.com/repo?ref=v1", url);
            return new RemoteBases.Base(
                    tree(Map.of(
                            "deep/kustomization.yaml", "resources: [../shared]",
                            "shared/kustomization.yaml", "resources: [a.yaml]",
                            "shared/a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")),
                    "deep");
        };
        var objects = Kustomization.build(files, "", remote);
        assertEquals("my-a", objects.getFirst().string("metadata", "name"));
    }

    @Test
    void fieldsOfReplacementsAreTakenInAnyCase() {
        var files = tree(Map.of(
                "kustomization.yaml",
                """
                resources: [a.yaml]
                replacements:
                - source: {kind: ConfigMap, name: a, fieldpath: data.from}
                  targets: [{select: {kind: ConfigMap, name: a}, fieldpaths: [data.to]}]
                """,
                "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {from: one, to: two}}"));

        assertEquals("one", Kustomization.build(files, "").getFirst().string("data", "to"));
    }

    @Test
    void fieldsAreTakenInAnyCase() {
        var files = tree(Map.of(
                "kustomization.yaml", "Resources: [a.yaml]\nlabels: [{Pairs: {app: web}}]",
                "a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"));

        assertEquals("web", Kustomization.build(files, "").getFirst().string("metadata", "labels", "app"));
    }

    @Test
    void aPasswordInTheAddressOfABaseIsNotShown() {
        var files = tree(Map.of(
                "kustomization.yaml",
                "buildMetadata: [originAnnotations]\nresources: ['https://me:geheim@example.com/repo']"));
        RemoteBases remote = _ -> new RemoteBases.Base(
                tree(Map.of(
                        "kustomization.yaml", "resources: [a.yaml]",
                        "a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")),
                "");
        assertEquals(
                "path: a.yaml\nrepo: https://example.com/repo\n",
                Kustomization.build(files, "", remote)
                        .getFirst()
                        .string("metadata", "annotations", "config.kubernetes.io/origin"));
    }

    @Test
    void aBuildReadsNoMoreFilesThanAllowed() {
        var files = new TreeMap<String, String>();
        var listed = new StringBuilder("resources:\n");
        for (int i = 0; i < 5_001; i++) {
            files.put(i + ".yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a" + i + "}}");
            listed.append("- ").append(i).append(".yaml\n");
        }
        files.put("kustomization.yaml", listed.toString());
        var error = assertThrows(KustomizeError.class, () -> Kustomization.build(tree(files), ""));
        assertTrue(error.getMessage().contains("a build may read 5000 files"), error.getMessage());
    }

    private static List<Json.Obj> cases(String file) {
        try (var stream = KustomizationTest.class.getResourceAsStream("/kustomize/" + file)) {
            return ((Json.Arr) YamlText.parse(stream.readAllBytes())).objects();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FileTree tree(Map<String, String> files) {
        var bytes = new TreeMap<String, byte[]>();
        files.forEach((path, text) -> bytes.put(path, text.getBytes(StandardCharsets.UTF_8)));
        return FileTree.of(bytes);
    }

    private static void check(Json.Obj test) {
        var files = new TreeMap<String, String>();
        test.object("files").forEach((path, text) -> files.put(path, text.display()));
        if (test.has("fails")) {
            var error = assertThrows(KustomizeError.class, () -> Kustomization.build(tree(files), test.string("path")));
            assertEquals(test.string("fails"), error.getMessage());
        } else {
            assertEquals(
                    test.array("gives"),
                    new Json.Arr(List.copyOf(Kustomization.build(tree(files), test.string("path")))));
        }
    }
}
