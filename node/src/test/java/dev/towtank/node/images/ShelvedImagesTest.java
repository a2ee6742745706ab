package dev.towtank.node.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.pods.ImageShelf.Made;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShelvedImagesTest {

    private static final String NAME = "registry.svc:5000/demo/app";

    @TempDir
    Path home;

    private ShelvedImages images;

    @BeforeEach
    void open() throws IOException {
        var map =
                MappedImages.load(home.resolve("images.yaml"), home.resolve("cache"), Map.of(), _ -> Optional.empty());
        images = new ShelvedImages(map, home.resolve("builds/made.json"), Optional.empty());
    }

    private Image found(String reference) {
        return ((ImageMap.Lookup.Found) images.find(reference)).image();
    }

    @Test
    void whatWasMadeStandsOnItsBase() throws IOException {
        images.put(Map.of(
                NAME + ":latest",
                new Made(
                        "debian:12", Map.of("A", "1"), Optional.of(List.of("run")), Optional.empty(), "1001", "/srv")));
        var image = found(NAME);
        assertThat(image.name()).isEqualTo(NAME);
        assertThat(image.shell()).isEqualTo(Image.Shell.DASH);
        assertThat(image.commandLine(List.of(), List.of())).contains(List.of("run"));
        assertThat(image.user()).isEqualTo("1001");
        assertThat(image.environment()).containsEntry("A", "1");
        assertThat(found("debian:12").commandLine(List.of(), List.of())).contains(List.of("bash"));
    }

    @Test
    void itIsThereAfterARestartAndGoesWithItsStream() throws IOException {
        images.put(Map.of(NAME + ":1", Made.like("debian:12"), "other:1", Made.like("debian:12")));
        open();
        assertThat(found(NAME + ":1").command()).containsExactly("bash");
        images.remove(name -> name.startsWith(NAME));
        open();
        assertThat(images.find(NAME + ":1")).isInstanceOf(ImageMap.Lookup.NotFound.class);
        assertThat(found("other:1").command()).containsExactly("bash");
        Files.writeString(home.resolve("builds/made.json"), "{broken");
        open();
        assertThat(images.find("other:1")).isInstanceOf(ImageMap.Lookup.NotFound.class);
    }

    @Test
    void imagesMayStandOnEachOtherAndNeverInACircle() throws IOException {
        images.put(Map.of(
                "a:1", new Made("b:1", Map.of("X", "a"), Optional.empty(), Optional.empty(), "", ""),
                "b:1",
                        new Made(
                                "debian:12",
                                Map.of("X", "b", "Y", "b"),
                                Optional.empty(),
                                Optional.of(List.of("b")),
                                "7",
                                ""),
                "c:1", Made.like("c:1")));
        assertThat(found("a:1").environment()).containsEntry("X", "a").containsEntry("Y", "b");
        assertThat(found("a:1").command()).containsExactly("b");
        assertThat(found("a:1").user()).isEqualTo("7");
        assertThat(images.find("c:1")).isInstanceOf(ImageMap.Lookup.NotFound.class);
    }

    @Test
    void aBaseThatNobodyHasIsNamed() throws InterruptedException {
        assertThat(images.bring("debian:12")).isEmpty();
        assertThat(images.bring("nobody.example.com/has:1").orElseThrow()).contains("nobody.example.com/has:1");
    }

    @Test
    void aBaseOnItsWayIsWaitedFor() throws IOException, InterruptedException {
        var debian = new ImageMap.Lookup.Found(found("debian:12"));
        var slow = new ShelvedImages(
                _ -> new ImageMap.Lookup.Pulling(new Arrived(debian)), home.resolve("none.json"), Optional.empty());
        slow.put(Map.of("a:1", new Made("far:1", Map.of("A", "1"), Optional.empty(), Optional.empty(), "", "")));
        assertThat(slow.bring("a:1")).isEmpty();
        var pull = ((ImageMap.Lookup.Pulling) slow.find("a:1")).pull();
        assertThat(((ImageMap.Lookup.Found) pull.result().orElseThrow().found())
                        .image()
                        .environment())
                .containsEntry("A", "1");
    }

    private record Arrived(ImageMap.Lookup found) implements ImageMap.Pull {
        @Override
        public Optional<ImageMap.Pulled> result() {
            return Optional.of(new ImageMap.Pulled(found, Duration.ZERO, 0));
        }

        @Override
        public void whenDone(Runnable then) {
            then.run();
        }
    }
}
