package dev.towtank.controllers.gitops;

import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Waker;
import dev.towtank.controllers.gitops.rendering.RevisionQuestion;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/// Wakes Applications for news of their repositories: those that a commit is about at once, and the others, whose
/// objects it
/// does not change, when nobody else waits. Only the order depends on it, so a guess by paths is good enough.
final class CommitNews {

    /// Where an Application says which paths it is made of, each relative to its own or from the root; with `;`
    /// between.
    private static final String PATHS = "argocd.argoproj.io/manifest-generate-paths";

    private static final int NAMES = 1_000;
    private static final int COMMITS = 16;

    /// What a commit changes.
    @FunctionalInterface
    interface Changes {
        /// Paths of files; empty where that is not known.
        Optional<NavigableSet<String>> between(String repository, String before, String after);
    }

    private final Function<ObjectName, Optional<Resource>> applications;
    private final Changes changes;
    private final List<Waker> sources = new CopyOnWriteArrayList<>();
    private final List<Consumer<ObjectName>> first = new CopyOnWriteArrayList<>();
    private final List<Consumer<ObjectName>> others = new CopyOnWriteArrayList<>();

    // Guarded by this object's monitor.
    private final Map<RevisionQuestion, String> newest = BoundedMap.byUse(NAMES);
    private final Map<List<String>, Optional<NavigableSet<String>>> known = BoundedMap.byUse(COMMITS);

    CommitNews(Function<ObjectName, Optional<Resource>> applications, Changes changes) {
        this.applications = applications;
        this.changes = changes;
    }

    /// Whoever that would wake is woken by this.
    void follow(Waker source) {
        source.subscribe(this::tell);
        sources.add(source);
    }

    /// What a name means now, before anybody is woken for it.
    synchronized void noted(RevisionQuestion question, String commit) {
        newest.put(question, commit);
    }

    /// What is gone is forgotten through this one: once is enough.
    Waker first() {
        return new Waker() {
            @Override
            public void subscribe(Consumer<ObjectName> wake) {
                first.add(wake);
            }

            @Override
            public void forget(ObjectName gone) {
                sources.forEach(source -> source.forget(gone));
            }
        };
    }

    Waker others() {
        return new Waker() {
            @Override
            public void subscribe(Consumer<ObjectName> wake) {
                others.add(wake);
            }

            @Override
            public boolean canWait() {
                return true;
            }
        };
    }

    private void tell(ObjectName name) {
        var application = applications.apply(name);
        boolean isAbout = application.isEmpty() || isAbout(application.get());
        (isAbout ? first : others).forEach(each -> each.accept(name));
    }

    /// Whether a commit that it does not know of changes its files, as far as anybody can tell.
    private boolean isAbout(Resource application) {
        var sources = ApplicationSpec.of(application).sources();
        var sync = application.status().object("sync");
        var seen = sync.has("revisions") ? sync.array("revisions").strings() : List.of(sync.string("revision"));
        var told = application.annotations().getOrDefault(PATHS, ".");
        for (int i = 0; i < sources.size(); i++) {
            if (isAbout(sources.get(i), told, i < seen.size() ? seen.get(i) : "")) {
                return true;
            }
        }
        return false;
    }

    private boolean isAbout(Json.Obj source, String told, String seen) {
        var question = SourceAnswers.question(source, source.string("targetRevision"));
        Optional<String> now;
        synchronized (this) {
            now = Optional.ofNullable(newest.get(question));
        }
        if (seen.isEmpty() || now.isEmpty() || now.get().equals(seen)) {
            return true;
        }
        return changed(question.repository(), seen, now.get())
                .map(paths -> Stream.of(told.split(";", -1))
                        .map(String::strip)
                        .map(path -> path.startsWith("/") ? path : source.string("path") + "/" + path)
                        .anyMatch(path -> isAmong(paths, path)))
                .orElse(true);
    }

    /// Whether any is that one, or below it; of a pattern counts what stands before its first star.
    private static boolean isAmong(NavigableSet<String> paths, String path) {
        var plain = path.replaceFirst("[*?\\[{].*", "");
        var parts = new ArrayDeque<String>();
        for (var part : plain.split("/", -1)) {
            if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        var whole = String.join("/", parts);
        boolean isBeginning = whole.isEmpty() || plain.length() < path.length();
        return isBeginning ? begins(paths, whole) : paths.contains(whole) || begins(paths, whole + "/");
    }

    private static boolean begins(NavigableSet<String> paths, String beginning) {
        return Optional.ofNullable(paths.ceiling(beginning))
                .filter(found -> found.startsWith(beginning))
                .isPresent();
    }

    private Optional<NavigableSet<String>> changed(String repository, String before, String after) {
        var key = List.of(repository, before, after);
        synchronized (this) {
            var told = known.get(key);
            if (told != null) {
                return told;
            }
        }
        var paths = changes.between(repository, before, after);
        synchronized (this) {
            known.put(key, paths);
        }
        return paths;
    }
}
