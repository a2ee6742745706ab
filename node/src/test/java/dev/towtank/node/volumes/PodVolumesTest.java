package dev.towtank.node.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.node.linux.ManyUsers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodVolumesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path root;

    private final Map<String, Json.Obj> configMaps = new HashMap<>();
    private final Map<String, Json.Obj> secrets = new HashMap<>();
    private int tokens;
    private PodVolumes volumes;

    @BeforeEach
    void open() {
        volumes = volumes();
        configMaps.put("settings", yaml("{data: {color: red}, binaryData: {raw: AAE=}}"));
        secrets.put("login", yaml("{data: {password: aHVudGVyMg==}}"));
    }

    private PodVolumes volumes() {
        var settings = new VolumeSettings(
                root.resolve("pods"),
                root.resolve("claims"),
                Optional.of(root.resolve("memory")),
                List.of(root.resolve("shared")));
        return new PodVolumes("u1", settings, new Sources());
    }

    private final class Sources implements VolumeSources {
        @Override
        public Optional<Json.Obj> configMap(String name) {
            return Optional.ofNullable(configMaps.get(name));
        }

        @Override
        public Optional<Json.Obj> secret(String name) {
            return Optional.ofNullable(secrets.get(name));
        }

        @Override
        public Token token(String audience, long seconds) {
            return new Token("token" + ++tokens + audience, NOW.plusSeconds(seconds * 4 / 5));
        }

        @Override
        public Path claim(String name) throws VolumeProblem {
            throw new VolumeProblem("persistentvolumeclaim \"" + name + "\" not found");
        }

        @Override
        public NodeValues node() {
            return new NodeValues("10.0.0.1", "10.0.0.2", Map.of("cpu", Quantity.of(2)));
        }
    }

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static Resource pod(String volume) {
        return Resource.of(yaml("{metadata: {name: web, namespace: shop, labels: {app: web}}, spec: {volumes: ["
                + volume + "], containers: [{name: c, resources: {limits: {cpu: 1}}}]}}"));
    }

    private Path prepared(String volume) throws VolumeProblem {
        volumes.prepare(pod(volume), NOW);
        return volumes.place("v").orElseThrow();
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void showsTheKeysOfAConfigMapAsFiles() throws Exception {
        var place = prepared("{name: v, configMap: {name: settings, defaultMode: 420}}");
        assertThat(place.resolve("color")).hasContent("red");
        assertThat(place.resolve("raw")).hasBinaryContent(new byte[] {0, 1});
        assertThat(mode(place.resolve("color"))).isEqualTo("rw-r--r--");
    }

    @Test
    void showsChosenKeysOfASecretWithTheirModes() throws Exception {
        var place = prepared(
                "{name: v, secret: {secretName: login, defaultMode: 256, items: [{key: password, path: deep/pass, mode: 288}]}}");
        assertThat(place.resolve("deep/pass")).hasContent("hunter2");
        assertThat(mode(place.resolve("deep/pass"))).isEqualTo("r--r-----");
        assertThat(place).startsWith(root.resolve("memory"));
    }

    @Test
    void changesAllFilesAtOnceWhenTheSourceChanges() throws Exception {
        var volume = "{name: v, configMap: {name: settings}}";
        var place = prepared(volume);
        var before = Files.readSymbolicLink(place.resolve("..data"));
        configMaps.put("settings", yaml("{data: {color: blue, size: big}}"));
        volumes.refresh(pod(volume), NOW);
        assertThat(place.resolve("color")).hasContent("blue");
        assertThat(place.resolve("size")).hasContent("big");
        assertThat(place.resolve("raw")).doesNotExist();
        assertThat(place.resolve(before)).doesNotExist();
        assertThat(Files.readSymbolicLink(place.resolve("color"))).isEqualTo(Path.of("..data/color"));
    }

    @Test
    void leavesFilesAloneWhenNothingChanged() throws Exception {
        var volume = "{name: v, configMap: {name: settings}}";
        var place = prepared(volume);
        var before = Files.readSymbolicLink(place.resolve("..data"));
        volumes.refresh(pod(volume), NOW);
        assertThat(Files.readSymbolicLink(place.resolve("..data"))).isEqualTo(before);
    }

    @Test
    void theNextServerWritesAnewWhatItFindsAndAtTheSameMoment() throws Exception {
        var volume = "{name: v, configMap: {name: settings}}";
        var place = prepared(volume);
        var before = Files.readSymbolicLink(place.resolve("..data"));
        configMaps.put("settings", yaml("{data: {color: blue}}"));
        volumes().prepare(pod(volume), NOW);
        assertThat(place.resolve("color")).hasContent("blue");
        assertThat(place.resolve("raw")).doesNotExist();
        assertThat(place.resolve(before)).doesNotExist();
    }

    @Test
    void theNextServerFinishesWhatTheOneBeforeHasBegun() throws Exception {
        var place = Files.createDirectories(root.resolve("pods/u1/volumes/v"));
        Files.createDirectory(place.resolve("..1_0"));
        Files.createSymbolicLink(place.resolve("..data"), Path.of("..1_0"));
        Files.createSymbolicLink(place.resolve("color"), Path.of("..data/color"));
        assertThat(prepared("{name: v, configMap: {name: settings}}")).isEqualTo(place);
        assertThat(place.resolve("color")).hasContent("red");
        assertThat(place.resolve("raw")).hasBinaryContent(new byte[] {0, 1});
        assertThat(place.resolve("..1_0")).doesNotExist();
    }

    @Test
    void theNextServerLeavesWhatIsInAnEmptyDir() throws Exception {
        var place = prepared("{name: v, emptyDir: {}}");
        Files.writeString(place.resolve("file"), "x");
        volumes().prepare(pod("{name: v, emptyDir: {}}"), NOW);
        assertThat(place.resolve("file")).hasContent("x");
        assertThat(mode(place)).isEqualTo("rwxrwxrwx");
    }

    @Test
    void projectsSeveralSources() throws Exception {
        var place = prepared("""
                name: v
                projected:
                  sources:
                  - serviceAccountToken: {path: token, expirationSeconds: 1000, audience: vault}
                  - configMap: {name: settings, items: [{key: color, path: config/color}]}
                  - secret: {name: login}
                  - downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}, {path: cpu, resourceFieldRef: {containerName: c, resource: limits.cpu}}]}
                """.transform(PodVolumesTest::flow));
        assertThat(place.resolve("token")).hasContent("token1vault");
        assertThat(place.resolve("config/color")).hasContent("red");
        assertThat(place.resolve("password")).hasContent("hunter2");
        assertThat(place.resolve("labels")).hasContent("app=\"web\"");
        assertThat(place.resolve("cpu")).hasContent("1");
        assertThat(volumes.refreshAt()).contains(NOW.plusSeconds(800));
    }

    private static String flow(String block) {
        return YamlText.parse(block).toString();
    }

    @Test
    void anEmptyDirIsForEverybodyAndInMemoryWhereAskedFor() throws Exception {
        assertThat(mode(prepared("{name: v, emptyDir: {}}"))).isEqualTo("rwxrwxrwx");
        assertThat(prepared("{name: v, emptyDir: {medium: Memory}}")).startsWith(root.resolve("memory"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v         | memory
            other,v   | memory
            v*        | memory
            *         | memory
            other     | pods
            v-other*  | pods
            ''        | pods
            """)
    void anEmptyDirOfWhichLittleIsExpectedIsInMemory(String small, String where) throws Exception {
        var annotated = pod("{name: v, emptyDir: {}}")
                .json()
                .with(
                        List.of("metadata", "annotations"),
                        Json.Obj.of("node.towtank.dev/small-volumes", Json.of(small)));
        volumes.prepare(Resource.of(annotated), NOW);
        assertThat(volumes.place("v").orElseThrow())
                .startsWith(root.resolve(where))
                .isDirectory();
    }

    @Test
    void tellsWhenAnEmptyDirIsTooFull() throws Exception {
        var volume = "{name: v, emptyDir: {sizeLimit: 1Mi}}";
        var place = prepared(volume);
        Files.write(place.resolve("a"), new byte[960 << 10]);
        assertThat(volumes.exceeded(pod(volume), List.of())).isEmpty();
        Files.write(place.resolve("b"), new byte[64 << 10]);
        assertThat(volumes.exceeded(pod(volume), List.of()))
                .contains("Usage of EmptyDir volume \"v\" exceeds the limit \"1Mi\". ");
    }

    @Test
    void tellsWhenAPodHasWrittenMoreThanItMay() throws Exception {
        var volume = "{name: v, emptyDir: {}}";
        var place = prepared(volume);
        var spec = pod(volume)
                .spec()
                .with("containers", YamlText.parse("[{name: c, resources: {limits: {ephemeral-storage: 2Mi}}}]"));
        var bounded = pod(volume).with(pod(volume).json().with("spec", spec));
        Files.write(place.resolve("a"), new byte[1984 << 10]);
        assertThat(volumes.exceeded(bounded, List.of())).isEmpty();
        Files.write(place.resolve("b"), new byte[64 << 10]);
        assertThat(volumes.exceeded(bounded, List.of()))
                .contains("Pod ephemeral local storage usage exceeds the total limit of containers 2Mi. ");
    }

    @Test
    void keepsATwentiethOfADiskFreeButNotMoreThanTwoGibibytes() {
        assertThat(LocalStorage.reserve(1_000)).isEqualTo(50);
        assertThat(LocalStorage.reserve(1L << 40)).isEqualTo(2L << 30);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {name: v, configMap: {name: gone}}                                          | configmap "gone" not found
            {name: v, secret: {secretName: gone}}                                       | secret "gone" not found
            {name: v, configMap: {name: settings, items: [{key: x, path: x}]}}          | configmap references non-existent config key: x
            {name: v, secret: {secretName: login, items: [{key: x, path: x}]}}          | references non-existent secret key: x
            {name: v, configMap: {name: settings, items: [{key: color, path: ../x}]}}   | invalid path: must not contain '..': ../x
            {name: v, configMap: {name: settings, items: [{key: color, path: /x}]}}     | invalid path: must be relative path: /x
            {name: v, persistentVolumeClaim: {claimName: gone}}                         | persistentvolumeclaim "gone" not found
            {name: v, hostPath: {path: /etc}}                                           | hostPath /etc is not allowed on this node: start the server with --allow-host-path /etc if pods may use it
            {name: v, nfs: {server: s}}                                                 | this node has no volumes of the kind nfs: use emptyDir, configMap, secret, projected, downwardAPI or persistentVolumeClaim
            """)
    void refusesWhatItCannotMount(String volume, String message) {
        assertThatThrownBy(() -> volumes.prepare(pod(volume), NOW))
                .isInstanceOf(VolumeProblem.class)
                .hasMessage("MountVolume.SetUp failed for volume \"v\" : " + message);
    }

    @Test
    void leavesOptionalSourcesOut() throws Exception {
        assertThat(prepared("{name: v, configMap: {name: gone, optional: true}}"))
                .isDirectoryNotContaining("glob:[!.]*");
    }

    @Test
    void aLinkDoesNotLeadOutOfAnAllowedHostPath() throws Exception {
        Files.createDirectories(root.resolve("shared"));
        Files.createSymbolicLink(root.resolve("shared/out"), root);
        assertThatThrownBy(() -> prepared("{name: v, hostPath: {path: " + root.resolve("shared/out") + "}}"))
                .hasMessageContaining("is not allowed on this node");
        assertThat(prepared("{name: v, hostPath: {path: " + root.resolve("shared") + ", type: Directory}}"))
                .isEqualTo(root.resolve("shared"));
    }

    @Test
    void mountsPartsOfAVolume() throws Exception {
        var place = prepared("{name: v, emptyDir: {}}");
        var container = yaml("""
                name: c
                volumeMounts:
                - {name: v, mountPath: /all}
                - {name: v, mountPath: /some, subPath: a/b, readOnly: true}
                - {name: v, mountPath: /mine, subPathExpr: "$(POD)/x"}
                """);
        var mounts = volumes.mounts(container, Map.of("POD", "web"));
        assertThat(mounts)
                .extracting(mount -> mount.source())
                .containsExactly(place, place.resolve("a/b"), place.resolve("web/x"));
        assertThat(mounts).extracting(mount -> mount.readOnly()).containsExactly(false, true, false);
        assertThat(place.resolve("a/b")).isDirectory();
    }

    @Test
    void mountsOneFileOfAConfigMap() throws Exception {
        prepared("{name: v, configMap: {name: settings}}");
        var container = yaml("{name: c, volumeMounts: [{name: v, mountPath: /etc/color, subPath: color}]}");
        assertThat(volumes.mounts(container, Map.of()).getFirst().source()).hasContent("red");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {name: v, mountPath: /x, subPath: ../../etc}     | unable to provision SubPath `../../etc`: must not contain '..'
            {name: v, mountPath: /x, subPath: /etc}          | error SubPath `/etc` must not be an absolute path
            {name: v, mountPath: /x, subPath: link}          | failed to prepare subPath for volumeMount "v" of container "c"
            {name: v, mountPath: /x, subPath: link/deeper}   | failed to prepare subPath for volumeMount "v" of container "c"
            {name: v, mountPath: /x, subPathExpr: $(NONE)}   | missing value for "NONE"
            {name: w, mountPath: /x}                         | cannot find volume "w" to mount into container "c"
            """)
    void refusesWhatLeavesItsVolume(String mount, String message) throws Exception {
        var place = prepared("{name: v, emptyDir: {}}");
        Files.createSymbolicLink(place.resolve("link"), root);
        assertThatThrownBy(() -> volumes.mounts(yaml("{name: c, volumeMounts: [" + mount + "]}"), Map.of()))
                .isInstanceOf(VolumeProblem.class)
                .hasMessage(message);
    }

    @Test
    void removesEverythingWithoutFollowingLinks() throws Exception {
        var place = prepared("{name: v, emptyDir: {}}");
        var outside = Files.writeString(root.resolve("precious"), "x");
        Files.createSymbolicLink(place.resolve("link"), root);
        Files.createDirectory(place.resolve("locked"));
        Files.writeString(place.resolve("locked/file"), "x");
        Files.setPosixFilePermissions(place.resolve("locked"), PosixFilePermissions.fromString("r-x------"));
        volumes.remove();
        assertThat(place).doesNotExist();
        assertThat(outside).exists();
    }

    /// Where there are no ids for groups a container has one user, whose files they are.
    @Test
    void filesAreReadByTheGroupOfThePod() throws Exception {
        boolean has = ManyUsers.known().isPresent();
        var pod = Resource.of(yaml("""
                {kind: Pod, metadata: {name: web}, spec: {securityContext: {fsGroup: 0}, volumes: [{name: v, secret:
                 {secretName: login, defaultMode: 256}}, {name: e, emptyDir: {}}], containers: [{name: a}]}}
                """));

        volumes.prepare(pod, NOW);

        var file = volumes.place("v").orElseThrow().resolve("password");
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString(has ? "r--r-----" : "r--------"));
        var mode = (int) Files.getAttribute(volumes.place("e").orElseThrow(), "unix:mode");
        assertThat(mode & 02000).isEqualTo(has ? 02000 : 0);
    }
}
