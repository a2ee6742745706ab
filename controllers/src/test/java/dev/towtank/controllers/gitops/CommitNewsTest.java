package dev.towtank.controllers.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Waker;
import dev.towtank.controllers.gitops.rendering.RevisionQuestion;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommitNewsTest {

    private final Map<ObjectName, Resource> applications = new HashMap<>();
    private final List<String> first = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private final List<Consumer<ObjectName>> told = new ArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();
    private Optional<NavigableSet<String>> changed = Optional.empty();

    private final CommitNews news =
            new CommitNews(name -> Optional.ofNullable(applications.get(name)), (repository, before, after) -> {
                assertThat(List.of(repository, before, after)).containsExactly("file:///r", "old", "new");
                looks.incrementAndGet();
                return changed;
            });

    @BeforeEach
    void follow() {
        news.first().subscribe(name -> first.add(name.name()));
        news.others().subscribe(name -> others.add(name.name()));
        assertThat(news.first().canWait()).isFalse();
        assertThat(news.others().canWait()).isTrue();
        news.follow(told::add);
        news.noted(new RevisionQuestion("file:///r", "", "main"), "new");
    }

    private void application(String name, String path, String annotations, String status) {
        var object = (Json.Obj) YamlText.parse("""
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: %s, namespace: argocd, annotations: {%s}}
                spec: {source: {repoURL: "file:///r", targetRevision: main, path: "%s"}}
                status: {%s}
                """.formatted(name, annotations, path, status));
        applications.put(name(name), new Resource(LogicalCluster.DEFAULT, object));
    }

    private static ObjectName name(String name) {
        return new ObjectName(LogicalCluster.DEFAULT, "argocd", name);
    }

    private void tell(String... names) {
        for (var name : names) {
            told.forEach(each -> each.accept(name(name)));
        }
    }

    private static final String OLD = "sync: {revision: old}";

    @Test
    void whoseFilesACommitChangesComesFirst() {
        changed = Optional.of(new TreeSet<>(List.of("apps/1/a.yaml", "shared/values.yaml")));
        application("touched", "apps/1", "", OLD);
        application("other", "apps/10", "", OLD);
        application("whole", ".", "", OLD);
        application("new", "apps/2", "", "");
        application("knows", "apps/2", "", "sync: {revision: new}");
        tell("touched", "other", "whole", "new", "knows", "gone");
        assertThat(first).containsExactly("touched", "whole", "new", "knows", "gone");
        assertThat(others).containsExactly("other");
        assertThat(looks).as("once for a commit").hasValue(1);
    }

    @Test
    void anApplicationMaySayWhatItIsMadeOf() {
        changed = Optional.of(new TreeSet<>(List.of("shared/values.yaml")));
        var paths = "argocd.argoproj.io/manifest-generate-paths: ";
        application("own", "apps/1", paths + "'.'", OLD);
        application("absolute", "apps/1", paths + "'.;/shared'", OLD);
        application("relative", "apps/1", paths + "'../../shared/values.yaml'", OLD);
        application("pattern", "apps/1", paths + "'/shared/*.yaml'", OLD);
        application("elsewhere", "apps/1", paths + "'/shared/val'", OLD);
        tell("own", "absolute", "relative", "pattern", "elsewhere");
        assertThat(first).containsExactly("absolute", "relative", "pattern");
        assertThat(others).containsExactly("own", "elsewhere");
    }

    @Test
    void nobodyWaitsWhereItIsNotKnown() {
        application("one", "apps/1", "", OLD);
        tell("one");
        assertThat(first).containsExactly("one");
    }

    @Test
    void whatIsGoneIsForgottenByThoseWhomItFollows() {
        var forgotten = new ArrayList<ObjectName>();
        news.follow(new Waker() {
            @Override
            public void subscribe(Consumer<ObjectName> wake) {
                told.add(wake);
            }

            @Override
            public void forget(ObjectName gone) {
                forgotten.add(gone);
            }
        });
        List.of(news.first(), news.others()).forEach(waker -> waker.forget(name("a")));
        assertThat(forgotten).containsExactly(name("a"));
    }
}
