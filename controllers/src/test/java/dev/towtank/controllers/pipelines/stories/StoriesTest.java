package dev.towtank.controllers.pipelines.stories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.towtank.cluster.testing.Answers;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.patch.MergePatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs from their creation to their end. A file of `scenarios/stories` holds several stories:
///
/// ```yaml
/// what it shows:
///   steps: {t-pod/step-a: {exitCode: 1}}       # see PlayedNode
///   outside: {git: [{ask: {url: u}, answer: {...}}]}   # what resolvers find, see Answers
///   story:
///   - given: [...]                             # objects, in the namespace ns
///   - then: [...]                              # parts of objects: lists as long as here, fields that are not
///                                              # named do not count, and null ones must be absent
///   - advance: 1h
///   - ended: t-pod/step-a                    # what was told of it no longer holds: it has succeeded
///   - change: {kind: PipelineRun, metadata: {name: p}, spec: {status: Cancelled}}
///   - delete: {kind: Pipeline, name: p}
///   - absent: {kind: TaskRun, name: p-b}
///   - refused: {object: {...}, message: ...}
///   - events: [Normal Started, Warning Failed]
///   - told: {TaskRun/t: ["Normal Started ", ...]}   # all that is told of it: type, reason, message, ×count
/// ```
class StoriesTest {

    private static final Set<String> TALK = Set.of("told", "events");
    private static final int DEATHS = 5;

    record Story(String name, Json.Obj told) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Story> stories() throws Exception {
        var place = Objects.requireNonNull(StoriesTest.class.getResource("/scenarios/stories"));
        try (var files = Files.list(Path.of(place.toURI()))) {
            return files.sorted()
                    .flatMap(file -> {
                        var all = (Json.Obj) YamlText.parse(text(file));
                        return all.keys().stream()
                                .map(name -> new Story(file.getFileName() + ": " + name, all.object(name)));
                    })
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("stories")
    void endsAsItIsTold(Story story) {
        assertThat(story.told().keys()).isSubsetOf("steps", "outside", "story");
        for (var line : story.told().objects("story")) {
            assertThat(line.keys()).hasSize(1);
        }
        play(stage(story), story, _ -> true);
    }

    /// A crash between two writes changes neither the end nor what runs on the way; only people may be told less.
    @ParameterizedTest
    @MethodSource("stories")
    void endsAsItIsToldThoughTheControllersDie(Story story) {
        playWithDeaths(story, DEATHS);
    }

    /// After each of the writes.
    @Tag("deep")
    @ParameterizedTest
    @MethodSource("stories")
    void endsAsItIsToldWhereverTheControllersDie(Story story) {
        playWithDeaths(story, Integer.MAX_VALUE);
    }

    private static Stage stage(Story story) {
        return new Stage(story.told().object("steps"), new Answers(story.told().object("outside")));
    }

    private static void playWithDeaths(Story story, int most) {
        var whole = stage(story);
        play(whole, story, verb -> !TALK.contains(verb));
        int writes = whole.writes();
        int deaths = Math.min(writes, most);
        int first = Math.floorMod(story.name().hashCode(), Math.max(writes, 1));
        for (int death = 0; death < deaths; death++) {
            int after = (first + death * writes / deaths) % writes;
            var stage = stage(story);
            stage.crashAfter(after);
            assertThatCode(() -> play(stage, story, verb -> !TALK.contains(verb)))
                    .as("after %d of %d writes", after, writes)
                    .doesNotThrowAnyException();
            assertThat(stage.ran()).as("what ran, after %d writes", after).isEqualTo(whole.ran());
        }
    }

    private static void play(Stage stage, Story story, Predicate<String> isPlayed) {
        for (var line : story.told().objects("story")) {
            var verb = line.keys().getFirst();
            if (isPlayed.test(verb)) {
                play(stage, verb, Objects.requireNonNull(line.get(verb)));
            }
        }
    }

    private static void play(Stage stage, String verb, Json what) {
        switch (verb) {
            case "given" -> {
                for (var object : ((Json.Arr) what).objects()) {
                    assertThat(stage.create(object).map(StatusError::text)).isEmpty();
                }
                stage.settle();
            }
            case "then" -> ((Json.Arr) what).objects().forEach(expected -> then(stage, expected));
            case "advance" -> {
                stage.timers.advance(Durations.parse(((Json.Str) what).value()));
                stage.settle();
            }
            case "ended" -> {
                stage.end(((Json.Str) what).value());
                stage.settle();
            }
            case "change" -> {
                change(stage, (Json.Obj) what);
                stage.settle();
            }
            case "delete" -> {
                stage.delete(((Json.Obj) what).string("kind"), ((Json.Obj) what).string("name"));
                stage.settle();
            }
            case "absent" ->
                assertThat(stage.find(((Json.Obj) what).string("kind"), ((Json.Obj) what).string("name")))
                        .as("absent " + what)
                        .isEmpty();
            case "refused" ->
                assertThat(stage.create(((Json.Obj) what).object("object")).map(StatusError::text))
                        .get()
                        .asString()
                        .endsWith(((Json.Obj) what).string("message").stripTrailing());
            case "events" ->
                assertThat(stage.events().map(event -> event.string("type") + " " + event.string("reason")))
                        .containsAll(((Json.Arr) what).strings());
            case "told" ->
                ((Json.Obj) what)
                        .forEach((about, events) -> assertThat(stage.told(about))
                                .as("told of " + about)
                                .containsExactlyInAnyOrderElementsOf(((Json.Arr) events).strings()));
            default -> throw new IllegalArgumentException("no such line: " + verb);
        }
    }

    private static void then(Stage stage, Json.Obj expected) {
        var name = expected.string("metadata", "name");
        var found = stage.find(expected.string("kind"), name)
                .orElseThrow(() -> new AssertionError("there is no " + expected.string("kind") + " " + name));
        assertPart(expected.string("kind") + " " + name, found.json(), expected);
    }

    private static void change(Stage stage, Json.Obj fields) {
        var kind = fields.string("kind");
        var object = stage.find(kind, fields.string("metadata", "name")).orElseThrow();
        var changed = MergePatch.apply(object.json(), fields);
        stage.update(kind, object.with(changed), fields.has("status"));
    }

    private static void assertPart(String where, Json actual, Json expected) {
        switch (expected) {
            case Json.Obj fields -> {
                assertThat(actual).as(where).isInstanceOf(Json.Obj.class);
                fields.forEach((name, value) -> {
                    var present = ((Json.Obj) actual).get(name);
                    if (value instanceof Json.Null) {
                        assertThat(present).as(where + "." + name).isNull();
                    } else {
                        assertThat(present).as(where + "." + name).isNotNull();
                        assertPart(where + "." + name, Objects.requireNonNull(present), value);
                    }
                });
            }
            case Json.Arr list -> {
                assertThat(actual).as(where).isInstanceOf(Json.Arr.class);
                var items = ((Json.Arr) actual).items();
                assertThat(items).as(where).hasSameSizeAs(list.items());
                for (int i = 0; i < items.size(); i++) {
                    assertPart(where + "[" + i + "]", items.get(i), list.items().get(i));
                }
            }
            case Json.Str _, Json.Bool _, Json.Int _, Json.Real _, Json.Null _ ->
                assertThat(actual).as(where).isEqualTo(expected);
        }
    }
}
