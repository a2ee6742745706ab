package dev.towtank.controllers.builds.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.pods.ImageShelf;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.controllers.builds.recipe.Dockerfile;
import dev.towtank.controllers.builds.recipe.RecipeError;
import dev.towtank.controllers.builds.recipe.Requirements;
import dev.towtank.controllers.git.source.GitFetch;
import dev.towtank.controllers.git.source.GitProblem;
import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.model.Json;
import dev.towtank.model.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Does builds. Without an engine it checks everything out and through, and lets the image that is asked for stand on
/// its
/// base.
public final class Builder implements Outside.Reader<BuildOrder, BuildResult> {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int SNIPPET = 5;
    private static final int MOST_LINES = 5_000;

    private final Cluster cluster;
    private final ImageShelf shelf;
    private final BuildLogs logs;
    private final SshCommand ssh;
    private final InstantSource clock;

    public Builder(Cluster cluster, ImageShelf shelf, BuildLogs logs, SshCommand ssh, InstantSource clock) {
        this.cluster = cluster;
        this.shelf = shelf;
        this.logs = logs;
        this.ssh = ssh;
        this.clock = clock;
    }

    @Override
    public BuildResult read(BuildOrder order) throws IOException, InterruptedException {
        var work = new Work(order);
        var result = work.result();
        logs.keep(order.uid(), work.log);
        return result;
    }

    /// Why a build ends early.
    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;
        private final String reason;

        Failed(String reason, String message) {
            super(message);
            this.reason = reason;
        }
    }

    /// One build.
    private final class Work {
        private final BuildOrder order;
        private final Json.Obj spec;
        private final List<String> log = new ArrayList<>();
        private String commit = "";

        Work(BuildOrder order) {
            this.order = order;
            this.spec = order.spec();
        }

        private void say(String line) {
            if (log.size() < MOST_LINES) {
                log.add(line);
            }
        }

        BuildResult result() throws IOException, InterruptedException {
            try (var files = BuildFiles.make(shelf.engine().isPresent())) {
                fetch(files);
                return made(files);
            } catch (Failed e) {
                var message = String.valueOf(e.getMessage());
                say("error: " + message);
                return new BuildResult(
                        e.reason, message, log.subList(Math.max(0, log.size() - SNIPPET), log.size()), commit, "");
            }
        }

        private void fetch(BuildFiles files) throws Failed, IOException {
            var url = spec.string("source", "git", "uri");
            if (url.isEmpty()) {
                return;
            }
            var shown = GitFetch.withoutCredentials(url);
            say("Cloning \"" + shown + "\" ...");
            var wanted = spec.string("revision", "git", "commit");
            var ref = wanted.isEmpty() ? spec.string("source", "git", "ref") : wanted;
            var blame = "";
            try {
                var login = SourceLogin.read(cluster, order.build(), spec.string("source", "sourceSecret", "name"));
                blame = login.blame();
                var remote = Rewrites.of(cluster, order.build().cluster()).reached(url);
                var fetch = new GitFetch.Wanted(url, remote, ref.isEmpty() ? "HEAD" : ref, login.values(), LIMIT);
                commit = new GitFetch(fetch, ssh, clock).with(tree -> {
                    files.take(tree);
                    return tree.commit();
                });
            } catch (GitProblem e) {
                boolean isRefused = e.text().contains("not authorized")
                        || e.text().contains("uthentication")
                        || e.text().contains("Permission denied");
                throw new Failed(
                        "FetchSourceFailed",
                        "Failed to fetch the input source: " + e.text() + "." + (isRefused ? blame : ""));
            }
            say("\tCommit:\t" + commit + (ref.isEmpty() ? "" : " (" + ref + ")"));
        }

        private String place(String file) {
            var directory = spec.string("source", "contextDir").replaceAll("^[./]+|/+$", "");
            return directory.isEmpty() ? file : directory + "/" + file;
        }

        private BuildResult made(BuildFiles files) throws Failed, IOException, InterruptedException {
            return spec.object("strategy").has("sourceStrategy") ? fromSource(files) : fromDockerfile(files);
        }

        private Map<String, String> variables(String strategy, String field) {
            var values = new HashMap<String, String>();
            spec.objects("strategy", strategy, field)
                    .forEach(each -> values.put(each.string("name"), each.string("value")));
            return values;
        }

        private BuildResult fromDockerfile(BuildFiles files) throws Failed, IOException, InterruptedException {
            var path = spec.string("strategy", "dockerStrategy", "dockerfilePath");
            var name = path.isEmpty() ? "Dockerfile" : path;
            var inline = spec.string("source", "dockerfile");
            var text = inline.isEmpty()
                    ? files.text(place(name))
                            .orElseThrow(() -> new Failed(
                                    "DockerBuildFailed",
                                    "Docker build strategy has failed: there is no " + place(name)
                                            + " in the repository."))
                    : inline;
            try {
                var recipe = Dockerfile.read(text, name, variables("dockerStrategy", "buildArgs"), order.base());
                for (var each : recipe.copies()) {
                    if (!files.has(place(each.path()))) {
                        throw new Failed(
                                "DockerBuildFailed",
                                "Docker build strategy has failed: " + name + ":" + each.line() + ": \"" + each.path()
                                        + "\": not found in the context.");
                    }
                }
                var packages = new ArrayList<>(recipe.packages());
                for (var each : recipe.requirements()) {
                    packages.addAll(requirements(files, chosen(files, each)));
                }
                say("FROM " + recipe.base());
                bring(recipe.base());
                var environment = new HashMap<>(recipe.environment());
                environment.putAll(variables("dockerStrategy", "env"));
                return shelf.engine().isPresent()
                        ? built(files, name, inline, recipe)
                        : stood(
                                new ImageShelf.Made(
                                        recipe.base(),
                                        environment,
                                        recipe.entrypoint(),
                                        recipe.command(),
                                        recipe.user(),
                                        recipe.workingDirectory()),
                                text,
                                packages);
            } catch (RecipeError e) {
                throw new Failed("DockerBuildFailed", "Docker build strategy has failed: " + e.text());
            }
        }

        private BuildResult fromSource(BuildFiles files) throws Failed, IOException, InterruptedException {
            bring(order.base());
            var environment = new HashMap<String, String>();
            files.text(place(".s2i/environment"))
                    .ifPresent(text -> text.lines()
                            .filter(line -> line.contains("=") && !line.startsWith("#"))
                            .forEach(line -> environment.put(
                                    line.substring(0, line.indexOf('=')).strip(),
                                    line.substring(line.indexOf('=') + 1))));
            environment.putAll(variables("sourceStrategy", "env"));
            var packages = List.<String>of();
            try {
                if (files.has(place("requirements.txt"))) {
                    packages = requirements(files, "requirements.txt");
                }
            } catch (RecipeError e) {
                throw new Failed("AssembleFailed", "Assemble script failed: " + e.text());
            }
            if (shelf.engine().isPresent()) {
                var recipe = "FROM " + order.base()
                        + "\nCOPY . /tmp/src\nRUN /usr/libexec/s2i/assemble\nCMD [\"/usr/libexec/s2i/run\"]\n";
                return engine(files, recipe, Map.of(), "AssembleFailed", "Assemble script failed");
            }
            var made = new ImageShelf.Made(order.base(), environment, Optional.empty(), Optional.empty(), "", "");
            return stood(made, "s2i", packages);
        }

        /// The first that is there; where none is, a COPY may have brought it from another place.
        private String chosen(BuildFiles files, List<String> choices) {
            return choices.stream()
                    .filter(each -> files.text(place(each)).isPresent())
                    .findFirst()
                    .orElseGet(() -> choices.getFirst().replaceFirst("^.*/", ""));
        }

        private List<String> requirements(BuildFiles files, String name) throws RecipeError {
            var text = files.text(place(name));
            if (text.isEmpty()) {
                return List.of(); // a COPY may have another name for it
            }
            var read = Requirements.read(text.get(), name);
            say("Collecting what " + name + " asks for: " + String.join(", ", read.packages()));
            var all = new ArrayList<>(read.packages());
            for (var more : read.more()) {
                var next = files.text(place(more));
                if (next.isPresent() && !more.equals(name)) {
                    all.addAll(Requirements.read(next.get(), more).packages());
                }
            }
            return all;
        }

        private void bring(String base) throws Failed, InterruptedException {
            if (base.equals("scratch")) {
                throw new Failed(
                        "DockerBuildFailed",
                        "Docker build strategy has failed: FROM scratch needs an engine that builds: there is none here.");
            }
            var problem = shelf.bring(base);
            if (problem.isPresent()) {
                throw new Failed(
                        "PullBuilderImageFailed", "Failed pulling builder image " + base + ": " + problem.get());
            }
        }

        /// No engine: the image has the files of its base.
        private BuildResult stood(ImageShelf.Made made, String recipe, List<String> packages) throws IOException {
            var missing = PythonPackages.missing(packages);
            say("No container engine builds here: the image stands on " + made.base()
                    + " with its files; nothing of RUN is run and nothing is copied.");
            if (!packages.isEmpty()) {
                say("Packages that it asks for: " + String.join(", ", packages)
                        + (missing.isEmpty() ? "" : "; this machine does not have " + String.join(", ", missing)));
            }
            var digest = digest(made + "\n" + commit + "\n" + recipe);
            if (!order.tag().isEmpty()) {
                shelf.put(names(made, digest));
                say("Pushing image " + reference(":" + order.tag()) + " ...");
                say("Push successful");
            }
            var text = "stands on " + made.base()
                    + (packages.isEmpty() ? "" : ", asks for " + packages.size() + " packages")
                    + (missing.isEmpty() ? "" : " (not on this machine: " + String.join(", ", missing) + ")")
                    + "; no engine builds here";
            return new BuildResult("", text, List.of(), commit, digest);
        }

        private String reference(String version) {
            return BuildKinds.reference(
                    order.stream().namespace(), order.stream().name(), version);
        }

        private Map<String, ImageShelf.Made> names(ImageShelf.Made made, String digest) {
            var names = new HashMap<String, ImageShelf.Made>();
            for (var registry : BuildKinds.REGISTRIES) {
                var place = registry + "/" + order.stream().namespace() + "/"
                        + order.stream().name();
                names.put(place + ":" + order.tag(), made);
                names.put(place + "@" + digest, made);
            }
            return names;
        }

        private BuildResult built(BuildFiles files, String name, String inline, Dockerfile recipe)
                throws Failed, IOException {
            var text = inline.isEmpty() ? files.text(place(name)).orElse("") : inline;
            var replaced =
                    order.base().isEmpty() ? text : text.replaceFirst("(?is)(.*^FROM\\s+)\\S+", "$1" + order.base());
            return engine(
                    files,
                    recipe.base().isEmpty() ? text : replaced,
                    variables("dockerStrategy", "buildArgs"),
                    "DockerBuildFailed",
                    "Docker build strategy has failed");
        }

        private BuildResult engine(
                BuildFiles files, String recipe, Map<String, String> arguments, String reason, String words)
                throws Failed, IOException {
            var engine = shelf.engine().orElseThrow();
            var tag = order.tag().isEmpty() ? "localhost/towtank-build:" + order.uid() : reference(":" + order.tag());
            var context = files.directory(place(""));
            var id =
                    engine.build(new ImageShelf.Engine.Order(context, files.recipe(recipe), tag, arguments), this::say);
            if (id.isEmpty()) {
                throw new Failed(reason, words + ": " + log.getLast());
            }
            say("Successfully built " + tag + " with " + engine.name());
            var digest = id.get().startsWith("sha256:") ? id.get() : "sha256:" + id.get();
            return new BuildResult("", "built by " + engine.name(), List.of(), commit, digest);
        }
    }

    private static String digest(String text) {
        return "sha256:" + HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
