package dev.towtank.controllers.pipelinesascode;

import dev.towtank.cluster.Gate;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One Repository for an address, wherever it is: otherwise somebody else could get its events.
final class RepositoryGate implements Gate {

    private static final String WEBHOOK = "validation.pipelinesascode.tekton.dev";
    private static final Set<String> STRATEGIES = Set.of("", "disable_all", "update");

    @Override
    public List<Kind<?>> kinds() {
        return List.of(PacKinds.REPOSITORY);
    }

    @Override
    public void check(Entry entry, World world) {
        problem(entry, world).ifPresent(why -> {
            throw KindBehaviour.denied(WEBHOOK, why);
        });
    }

    private static Optional<String> problem(Entry entry, World world) {
        var repository = entry.resource();
        var url = repository.spec().string("url");
        boolean isNew =
                entry.old() == null || !entry.old().string("spec", "url").equals(url);
        if (url.isEmpty() && !entry.namespace().equals(PacKinds.NAMESPACE)) {
            return Optional.of("URL must be set");
        }
        if (isNew && !url.isEmpty() && isElsewhere(entry, url, world)) {
            return Optional.of("repository already exists with URL: " + url);
        }
        if (repository.spec().object("settings").has("ai")) {
            return Optional.of("settings.ai is not supported here: no log goes to a language model; leave it out");
        }
        return comments(repository.spec().object("settings"));
    }

    private static boolean isElsewhere(Entry entry, String url, World world) {
        var name = entry.resource().name();
        return world.list(PacKinds.REPOSITORY, entry.cluster()).stream()
                .anyMatch(other -> other.spec().string("url").equals(url)
                        && !(other.namespace().equals(entry.namespace())
                                && other.name().equals(name)));
    }

    private static Optional<String> comments(Json.Obj settings) {
        for (var forge : List.of("github", "gitlab", "forgejo")) {
            var strategy = settings.string(forge, "comment_strategy");
            if (!STRATEGIES.contains(strategy)) {
                var where = switch (forge) {
                    case "gitlab" -> "Gitlab MRs";
                    case "forgejo" -> "Forgejo/Gitea PRs";
                    default -> "GitHub PRs";
                };
                return Optional.of("comment strategy '" + strategy + "' is not supported for " + where);
            }
        }
        return Optional.empty();
    }
}
