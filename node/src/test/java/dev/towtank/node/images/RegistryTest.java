package dev.towtank.node.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.node.images.ImageMap.Lookup;
import dev.towtank.node.images.registry.ImageReference;
import dev.towtank.node.images.registry.RegistryClients;
import dev.towtank.node.images.registry.RegistryPlaces;
import dev.towtank.node.images.store.Digest;
import dev.towtank.node.images.store.ImageImport;
import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.TestImage;
import dev.towtank.node.images.store.TestLayer;
import dev.towtank.node.images.store.UnpackLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A registry that does as the protocol says, and ones that do not.
class RegistryTest {

    private static final String LOGIN =
            "Basic " + Base64.getEncoder().encodeToString("ann:s3cret-word".getBytes(StandardCharsets.UTF_8));

    @TempDir
    Path home;

    private final Map<String, byte[]> manifests = new HashMap<>();
    private final Map<Digest, byte[]> blobs = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private HttpServer server;
    private RealImages images;
    private List<Json.Obj> logins = List.of();

    @FunctionalInterface
    private interface Before {
        /// Whether it has answered.
        boolean handle(HttpExchange exchange) throws IOException;
    }

    private Before before = _ -> false;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
        images = images(ImageMode.REAL);
    }

    @AfterEach
    void close() {
        images.close();
        server.stop(0);
    }

    private RealImages images(ImageMode mode) throws IOException {
        return new RealImages(
                ImageStore.use(home.resolve("store"), UnpackLimits.USUAL),
                MappedImages.load(home.resolve("images.yaml"), home.resolve("cache"), name -> Optional.empty()),
                mode,
                _ -> logins,
                InstantSource.system());
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            synchronized (asked) {
                asked.add(path);
            }
            if (before.handle(exchange)) {
                return;
            }
            var last = path.substring(path.lastIndexOf('/') + 1);
            var found = path.contains("/manifests/") ? manifests.get(last) : blobs.get(Digest.parse(last));
            if (found == null) {
                send(
                        exchange,
                        404,
                        "{\"errors\":[{\"code\":\"MANIFEST_UNKNOWN\",\"message\":\"manifest unknown\"}]}"
                                .getBytes(StandardCharsets.UTF_8));
                return;
            }
            var range = exchange.getRequestHeaders().getFirst("Range");
            int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
            send(exchange, from > 0 ? 206 : 200, Arrays.copyOfRange(found, from, found.length));
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static boolean redirect(HttpExchange exchange, String to) throws IOException {
        exchange.getResponseHeaders().set("Location", to);
        exchange.sendResponseHeaders(307, -1);
        return true;
    }

    private static boolean challenge(HttpExchange exchange, String how) throws IOException {
        exchange.getResponseHeaders().set("WWW-Authenticate", how);
        exchange.sendResponseHeaders(401, -1);
        return true;
    }

    private String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private TestImage offer(String tag) throws IOException {
        var image = TestImage.of(
                "{\"Entrypoint\": [\"/app\"], \"Env\": [\"A=b\"], \"User\": \"app\", \"WorkingDir\": \"/w\", \"StopSignal\": \"SIGINT\"}",
                new TestLayer().file("app", "x".repeat(100_000)).file("etc/passwd", "app:x:1234:77::/:/bin/sh\n"));
        blobs.putAll(image.blobs());
        manifests.put(tag, image.blobs().get(image.manifest()));
        manifests.put(image.manifest().toString(), image.blobs().get(image.manifest()));
        return image;
    }

    private ImageMap.Pulled pulled(String reference, String policy) throws Exception {
        return pulled(images, reference, policy, List.of());
    }

    private static ImageMap.Pulled pulled(RealImages images, String reference, String policy, List<Json.Obj> logins)
            throws Exception {
        var pull = ((Lookup.Pulling) images.find(new ImageMap.Wanted(reference, policy, () -> logins))).pull();
        var done = new CountDownLatch(1);
        pull.whenDone(done::countDown);
        assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
        return pull.result().orElseThrow();
    }

    private String refused(String reference) throws Exception {
        return ((Lookup.NotFound) pulled(reference, "IfNotPresent").found()).message();
    }

    @Test
    void pullsOnceAndKnowsWhatTheImageSays() throws Exception {
        var offered = offer("1");
        var reference = host() + "/team/app:1";

        var pulled = pulled(reference, "IfNotPresent");

        var image = ((Lookup.Found) pulled.found()).image();
        assertThat(image.entrypoint()).containsExactly("/app");
        assertThat(image.environment()).containsEntry("A", "b");
        assertThat(image.user()).isEqualTo("1234:77");
        assertThat(image.workingDirectory()).isEqualTo("/w");
        assertThat(image.stopSignal()).isEqualTo("SIGINT");
        assertThat(((Image.Root.Layers) image.root()).id()).isEqualTo(host() + "/team/app@" + offered.manifest());
        assertThat(pulled.bytes()).isPositive();
        asked.clear();
        assertThat(images.find(new ImageMap.Wanted(reference, "IfNotPresent", List::of)))
                .isEqualTo(new Lookup.Found(image));
        assertThat(images.find(new ImageMap.Wanted(host() + "/other@" + offered.manifest(), "Always", List::of)))
                .isInstanceOf(Lookup.Found.class);
        assertThat(asked).isEmpty();
        assertThat(pulled(reference, "Always").found()).isEqualTo(new Lookup.Found(image));
        assertThat(asked).hasSize(2).allMatch(path -> path.contains("/manifests/1") || path.contains("/blobs/"));
    }

    @Test
    void manyWhoWaitShareOnePull() throws Exception {
        offer("1");
        var go = new CountDownLatch(1);
        before = _ -> {
            try {
                return !go.await(120, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return true;
            }
        };
        var done = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            var lookup = images.find(new ImageMap.Wanted(host() + "/app:1", "Always", List::of));
            ((Lookup.Pulling) lookup).pull().whenDone(done::countDown);
        }
        go.countDown();

        assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(asked.stream().filter(path -> path.contains("/manifests/"))).hasSize(1);
    }

    @Test
    void whatIsMissingIsToldInTheRegistrysWords() throws Exception {
        assertThat(refused(host() + "/app:none"))
                .contains("404: MANIFEST_UNKNOWN: manifest unknown")
                .startsWith("failed to pull and unpack image \"" + host() + "/app:none\"");
        assertThat(images.find(new ImageMap.Wanted(host() + "/app:none", "Never", List::of)))
                .isEqualTo(new Lookup.NotFound(
                        "ErrImageNeverPull",
                        "Container image \"" + host() + "/app:none\" is not present with pull policy of Never"));
    }

    @Test
    void nobodyThereIsToldAsSuch() throws Exception {
        server.stop(0);

        assertThat(refused(host() + "/app:1")).contains("connect: connection refused");
    }

    @Test
    void aPasswordIsGivenAndNeverShown() throws Exception {
        offer("1");
        before = exchange -> !LOGIN.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                && challenge(exchange, "Basic realm=\"x\"");

        assertThat(refused(host() + "/app:1")).contains("wants a name and password, and there is none for it");
        var wrong = login("s3cret-wrong");
        var told = pulled(images, host() + "/app:1", "Always", wrong).found();
        assertThat(told.toString()).contains("401").doesNotContain("s3cret").doesNotContain("Basic YW5u");
        assertThat(pulled(images, host() + "/app:1", "Always", login("s3cret-word"))
                        .found())
                .isInstanceOf(Lookup.Found.class);
    }

    private List<Json.Obj> login(String password) {
        return List.of(JsonText.parseObject(
                "{\"http://%s/v2/\": {\"username\": \"ann\", \"password\": \"%s\"}}".formatted(host(), password)));
    }

    @Test
    void aTokenIsFetchedWithThePasswordAndUsed() throws Exception {
        offer("1");
        logins = login("s3cret-word");
        before = exchange -> {
            var told = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            if (exchange.getRequestURI().getPath().equals("/token")) {
                assertThat(exchange.getRequestURI().getQuery()).contains("scope=repository:app:pull");
                send(
                        exchange,
                        told.equals(LOGIN) ? 200 : 403,
                        "{\"token\": \"t0ken\"}".getBytes(StandardCharsets.UTF_8));
                return true;
            }
            return !told.equals("Bearer t0ken")
                    && challenge(exchange, "Bearer realm=\"http://" + host() + "/token\",service=\"reg\"");
        };

        assertThat(pulled(host() + "/app:1", "IfNotPresent").found()).isInstanceOf(Lookup.Found.class);
    }

    @Test
    void aPasswordDoesNotFollowARedirect() throws Exception {
        offer("1");
        logins = login("s3cret-word");
        var seen = new ArrayList<String>();
        var other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            try (exchange) {
                seen.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
                send(
                        exchange,
                        200,
                        blobs.get(
                                Digest.parse(exchange.getRequestURI().getPath().substring(1))));
            }
        });
        other.start();
        before = exchange -> {
            if (!LOGIN.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                return challenge(exchange, "Basic realm=\"x\"");
            }
            var path = exchange.getRequestURI().getPath();
            return path.contains("/blobs/")
                    && redirect(
                            exchange,
                            "http://127.0.0.1:" + other.getAddress().getPort() + path.substring(path.lastIndexOf('/')));
        };

        assertThat(pulled(host() + "/app:1", "IfNotPresent").found()).isInstanceOf(Lookup.Found.class);
        assertThat(seen).isNotEmpty().containsOnly("null");
        other.stop(0);
    }

    @Test
    void endlessRedirectsEnd() throws Exception {
        before = exchange -> redirect(exchange, exchange.getRequestURI().toString());

        assertThat(refused(host() + "/app:1")).contains("leads through more than 5 redirects");
        before = exchange -> redirect(exchange, "file:///etc/passwd");
        assertThat(refused(host() + "/app:1")).contains("points to an address that is not followed");
    }

    @Test
    void whoSaysNothingMoreIsGivenUp() throws Exception {
        var image = offer("1");
        var end = new CountDownLatch(1);
        before = exchange -> {
            var silent = exchange.getRequestURI().getPath().contains("/blobs/");
            if (silent) {
                exchange.sendResponseHeaders(200, 1000);
                exchange.getResponseBody().write(1);
                exchange.getResponseBody().flush();
            }
            try {
                return silent && end.await(120, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return true;
            }
        };
        try (var impatient = new RegistryClients(() -> RegistryPlaces.NONE, Duration.ofMillis(200))) {
            var session =
                    impatient.session(ImageReference.parse(host() + "/app:1").orElseThrow(), List.of());
            var layer = image.blobs().keySet().iterator().next();

            assertThatThrownBy(() -> session.blob(layer, 1000).readAllBytes())
                    .hasMessageContaining("the registry sent nothing for");
            before = exchange -> {
                try {
                    return end.await(120, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    return true;
                }
            };
            assertThatThrownBy(() -> session.manifest("1")).hasMessageContaining("did not answer within");
        } finally {
            end.countDown();
        }
    }

    @Test
    void whoBeginsAgainAndThenSaysNothingIsGivenUp() throws Exception {
        var image = offer("1");
        var layer = image.blobs().keySet().iterator().next();
        var all = image.blobs().get(layer);
        var end = new CountDownLatch(1);
        before = exchange -> {
            boolean isAgain = exchange.getRequestHeaders().getFirst("Range") != null;
            exchange.sendResponseHeaders(200, all.length); // whatever it was asked to begin at
            exchange.getResponseBody().write(all, 0, isAgain ? 10 : all.length / 2);
            exchange.getResponseBody().flush();
            try {
                return !isAgain || end.await(120, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return true;
            }
        };
        try (var impatient = new RegistryClients(() -> RegistryPlaces.NONE, Duration.ofMillis(200))) {
            var session =
                    impatient.session(ImageReference.parse(host() + "/app:1").orElseThrow(), List.of());

            assertThatThrownBy(() -> session.blob(layer, all.length).readAllBytes())
                    .hasMessageContaining("the registry sent nothing for");
        } finally {
            end.countDown();
        }
    }

    @Test
    void progressIsToldUntilAllHasCome() throws Exception {
        var image = offer("1");
        var come = new AtomicLong();

        images.pull(ImageReference.parse(host() + "/app:1").orElseThrow(), List.of(), come::addAndGet);

        long parts =
                image.blobs().values().stream().mapToLong(part -> part.length).sum();
        assertThat(come.get()).isEqualTo(parts - image.blobs().get(image.manifest()).length);
    }

    @Test
    void whoWaitsForAPullSeesHowFarItHasCome() throws Exception {
        offer("1");
        var pull = ((Lookup.Pulling) images.find(wanted(host() + "/app:1"))).pull();
        var done = new CountDownLatch(1);
        pull.whenDone(done::countDown);

        assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(pull.come())
                .isPositive()
                .isGreaterThanOrEqualTo(pull.result().orElseThrow().bytes());
    }

    @Test
    void anOwnRegistryKnowsPodsByTheirAccounts() throws Exception {
        offer("1");
        before = exchange -> !LOGIN_OF_POD.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                && challenge(exchange, "Basic realm=\"x\"");
        var map = MappedImages.load(home.resolve("images.yaml"), home.resolve("cache"), name -> Optional.empty())
                .withRegistry(Map.of("registry.svc:5000", host()));
        try (var own = new RealImages(
                ImageStore.use(home.resolve("own"), UnpackLimits.USUAL),
                map,
                ImageMode.AUTO,
                _ -> List.of(),
                InstantSource.system())) {
            var name = "registry.svc:5000/team/app:1";
            assertThat(ended(own.find(account(name, "team/a", "t0ken")))).isInstanceOf(Lookup.Found.class);
            assertThat(own.find(account(name, "team/a", "t0ken"))).isInstanceOf(Lookup.Found.class);
            // It is here, and still not for everybody.
            assertThat(ended(own.find(account(name, "other/b", "other"))))
                    .isInstanceOfSatisfying(
                            Lookup.NotFound.class,
                            refused -> assertThat(refused.message())
                                    .contains("401")
                                    .doesNotContain("other\""));
        }
    }

    private static final String LOGIN_OF_POD =
            "Basic " + Base64.getEncoder().encodeToString("serviceaccount:t0ken".getBytes(StandardCharsets.UTF_8));

    private static ImageMap.Wanted account(String name, String account, String token) {
        return new ImageMap.Wanted(name, "IfNotPresent", List::of, account, () -> Optional.of(token));
    }

    private static Lookup ended(Lookup lookup) throws InterruptedException {
        var pull = ((Lookup.Pulling) lookup).pull();
        var done = new CountDownLatch(1);
        pull.whenDone(done::countDown);
        assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
        return pull.result().orElseThrow().found();
    }

    @Test
    void aManifestOfFiftyMegabytesIsNotRead() throws Exception {
        manifests.put("big", new byte[50 << 20]);

        assertThat(refused(host() + "/app:big")).contains("the manifest is larger than the 4194304 bytes");
    }

    @Test
    void aLieAboutALayerIsFound() throws Exception {
        var image = offer("1");
        var layer = image.blobs().keySet().iterator().next();
        blobs.put(layer, "other bytes".getBytes(StandardCharsets.UTF_8));

        assertThat(refused(host() + "/app:1")).contains("failed to pull and unpack");
        var longer = Arrays.copyOf(image.blobs().get(layer), image.blobs().get(layer).length + 100_000);
        blobs.put(layer, longer);
        assertThat(refused(host() + "/app:1")).contains("sends more than the");
        assertThat(images.find(host() + "/app:1")).isInstanceOf(Lookup.NotFound.class);
        try (var files = Files.list(home.resolve("store/layers"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aBrokenDownloadGoesOnWhereItBroke() throws Exception {
        var image = offer("1");
        var broken = new ArrayList<String>();
        before = exchange -> {
            var path = exchange.getRequestURI().getPath();
            var last = path.substring(path.lastIndexOf('/') + 1);
            if (path.contains("/blobs/")
                    && broken.size() < 2
                    && exchange.getRequestHeaders().getFirst("Range") == null) {
                broken.add(last);
                var all = image.blobs().get(Digest.parse(last));
                exchange.sendResponseHeaders(200, all.length);
                exchange.getResponseBody().write(all, 0, all.length / 2);
                exchange.getResponseBody().flush();
                return true; // and the connection is closed
            }
            return false;
        };

        assertThat(pulled(host() + "/app:1", "IfNotPresent").found()).isInstanceOf(Lookup.Found.class);
        assertThat(broken).hasSize(2);
    }

    @Test
    void inAutomaticModeAStandInComesBeforeAPull() throws Exception {
        Files.writeString(home.resolve("images.yaml"), """
                registries: [{match: hub.example/team, at: "%s/mirrored"}]
                images: [{match: hub.example/mapped, root: host, shell: dash}]
                """.formatted(host()));
        offer("1");
        try (var auto = images(ImageMode.AUTO)) {
            assertThat(((Lookup.Found) auto.find(new ImageMap.Wanted("hub.example/mapped:1", "Always", List::of)))
                            .image()
                            .root())
                    .isEqualTo(new Image.Root.Host());
            assertThat(pulled(auto, "hub.example/team/app:1", "IfNotPresent", List.of())
                            .found())
                    .isInstanceOf(Lookup.Found.class);
            assertThat(asked).allMatch(path -> path.startsWith("/v2/mirrored/app/"));
            assertThat(pulled(auto, "hub.example/team/gone:2", "IfNotPresent", List.of())
                            .found()
                            .toString())
                    .contains("404", "- {match: hub.example/team/gone, root: host, shell: dash}");
        }
    }

    @Test
    void oneLookTellsWhatAContainerWouldRunOn() throws Exception {
        Files.writeString(home.resolve("images.yaml"), """
                images:
                - {match: mapped, root: host, shell: busybox}
                - {match: "%s/needy", needs: {nothing: no-package}}
                """.formatted(host()));
        var offered = offer("1");
        long size = offered.blobs().values().iterator().next().length;
        try (var auto = images(ImageMode.AUTO)) {
            assertThat(auto.outlook(wanted("mapped"))).isEqualTo(new Outlook.StandIn(true));
            assertThat(auto.outlook(wanted(host() + "/app:1"))).isEqualTo(new Outlook.Comes(OptionalLong.of(size)));
            // A stand-in that cannot stand in is none.
            assertThat(auto.outlook(wanted(host() + "/needy:1"))).isEqualTo(new Outlook.Comes(OptionalLong.of(size)));
            assertThat(auto.outlook(wanted(host() + "/needy:2")).toString())
                    .contains("404")
                    .contains("needs the program nothing");
            assertThat(asked).noneMatch(path -> path.contains("/blobs/"));
            assertThat(pulled(auto, host() + "/needy:1", "IfNotPresent", List.of())
                            .found())
                    .isInstanceOf(Lookup.Found.class);
            asked.clear();
            assertThat(auto.outlook(wanted(host() + "/needy:1"))).isEqualTo(new Outlook.Here());
            assertThat(asked).isEmpty();
            assertThat(auto.outlook(wanted("no name!")))
                    .isInstanceOfSatisfying(
                            Outlook.Missing.class,
                            missing -> assertThat(missing.mayBeMapped()).isFalse());
        }
    }

    private static ImageMap.Wanted wanted(String reference) {
        return new ImageMap.Wanted(reference, "IfNotPresent", List::of);
    }

    @Test
    void entriesAreAddedToAMapAsItIsWritten() throws Exception {
        var file = home.resolve("images.yaml");
        var image = ImageReference.parse("quay.io/a/alpine-b:1").orElseThrow();

        ImageMapFile.add(file, List.of(image));
        assertThat(file).hasContent("""
                images:
                  - match: quay.io/a/alpine-b
                    root: host
                    shell: busybox
                """);
        Files.writeString(file, "images: [{match: x}]\n");
        assertThatThrownBy(() -> ImageMapFile.add(file, List.of(image))).hasMessageContaining("not one entry per line");
        Files.writeString(file, "images: {{\n");
        assertThatThrownBy(() -> ImageMapFile.add(file, List.of(image))).hasMessageContaining("images.yaml");
        assertThat(file).hasContent("images: {{");
    }

    @Test
    void whatAFileBroughtIsNotAskedFor() throws Exception {
        var layout = TestImage.of("{}", new TestLayer().file("a", "x")).layout(home.resolve("layout"), "latest");
        var store = ImageStore.open(home.resolve("store"), UnpackLimits.USUAL);
        new ImageImport(store, home.resolve("partial"), UnpackLimits.USUAL)
                .run(
                        layout,
                        _ -> "docker.io/mine:latest",
                        InstantSource.system().instant());

        assertThat(images.find(new ImageMap.Wanted("mine", "Always", List::of))).isInstanceOf(Lookup.Found.class);
    }

    @Test
    void namesAreTheSameHoweverTheyAreWritten() {
        assertThat(ImageReference.parse("busybox").orElseThrow().canonical())
                .isEqualTo(ImageReference.parse("docker.io/library/busybox:latest")
                        .orElseThrow()
                        .canonical());
        assertThatThrownBy(() -> ImageReference.parse("host:99999999/x").orElseThrow())
                .isInstanceOf(NoSuchElementException.class);
    }
}
