package dev.towtank.controllers.gitops.sets;

import dev.towtank.controllers.gitops.rendering.Listing;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the generators of an ApplicationSet give: trees of parameters, each for one Application.
final class SetGenerators {

    private static final Set<String> KINDS = Set.of("list", "clusters", "git", "matrix", "merge");
    private static final int DEPTH = 2;
    private static final int MOST = 10_000;

    private final Template template;
    private final World world;

    /// What generators look at.
    interface World {

        /// @throws SetError when the repository cannot be read
        /// @throws Pending when that is not known yet
        Listing listing(Json.Obj git);

        /// Of each cluster: name, server, labels, annotations, project; this server itself has no labels.
        List<Json.Obj> clusters();
    }

    /// More will be known soon.
    static final class Pending extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Pending() {
            super("not known yet", null, false, false);
        }
    }

    SetGenerators(Template template, World world) {
        this.template = template;
        this.world = world;
    }

    /// @param over what this generator says about the template
    record Given(Json.Obj params, Json.Obj over) {}

    List<Given> all(List<Json.Obj> generators) {
        var all = new ArrayList<Given>();
        for (var generator : generators) {
            given(generator, Json.Obj.EMPTY, 0).forEach(params -> all.add(new Given(params, over(generator))));
        }
        if (all.size() > MOST) {
            throw new SetError("the generators give " + all.size() + " applications; " + MOST + " are the most");
        }
        return all;
    }

    private static String kind(Json.Obj generator) {
        var kinds =
                generator.keys().stream().filter(key -> !key.equals("selector")).toList();
        if (kinds.size() != 1) {
            throw new SetError("a generator needs exactly one kind, and has " + kinds);
        }
        if (!KINDS.contains(kinds.getFirst())) {
            throw new SetError("the generator " + kinds.getFirst()
                    + " is not served; there are list, clusters, git, matrix and merge");
        }
        return kinds.getFirst();
    }

    private static Json.Obj over(Json.Obj generator) {
        return generator.object(kind(generator), "template");
    }

    /// @param known parameters that may stand in the generator itself: those of the first in a matrix
    private List<Json.Obj> given(Json.Obj generator, Json.Obj known, int depth) {
        if (depth > DEPTH) {
            throw new SetError("generators may be nested two deep");
        }
        var kind = kind(generator);
        GeneratorFields.check(kind, generator.object(kind));
        var written = generator.object(kind).without("template");
        var options = known.size() == 0 || kind.equals("matrix") || kind.equals("merge")
                ? written
                : template.fill(written, known);
        var all = switch (kind) {
            case "list" -> list(options);
            case "clusters" -> clusters(options);
            case "git" -> GitParameters.of(options, world.listing(options), template);
            case "matrix" -> matrix(options, known, depth);
            default -> merge(options, known, depth);
        };
        return generator.has("selector") ? selected(all, generator.object("selector")) : all;
    }

    private static List<Json.Obj> selected(List<Json.Obj> all, Json.Obj selector) {
        var wanted = LabelSelector.of(selector);
        return all.stream()
                .filter(params -> wanted.matches(Template.flat(params)))
                .toList();
    }

    private List<Json.Obj> list(Json.Obj options) {
        var elements = new ArrayList<>(options.objects("elements"));
        if (!options.string("elementsYaml").isEmpty()) {
            for (var document : Template.documents("elementsYaml", options.string("elementsYaml"))) {
                if (document instanceof Json.Arr list) {
                    elements.addAll(list.objects());
                }
            }
        }
        return elements;
    }

    private List<Json.Obj> clusters(Json.Obj options) {
        var selector = options.object("selector");
        var wanted = LabelSelector.of(selector);
        var all = new ArrayList<Json.Obj>();
        for (var cluster : world.clusters()) {
            boolean isThisServer = !cluster.object("metadata").has("labels");
            if (isThisServer ? selector.size() == 0 : wanted.matches(cluster.stringMap("metadata", "labels"))) {
                all.add(withValues(options, cluster, template));
            }
        }
        return options.flag("flatList") ? List.of(Json.Obj.of("clusters", new Json.Arr(List.copyOf(all)))) : all;
    }

    /// `values` may name the parameters beside them.
    static Json.Obj withValues(Json.Obj options, Json.Obj params, Template template) {
        var values = options.object("values");
        return values.size() == 0 ? params : params.with("values", template.fill(values, params));
    }

    private List<Json.Obj> children(Json.Obj options) {
        var children = options.objects("generators");
        if (children.size() < 2) {
            throw new SetError("a matrix or merge generator needs two generators, and has " + children.size());
        }
        return children;
    }

    private List<Json.Obj> matrix(Json.Obj options, Json.Obj known, int depth) {
        var children = children(options);
        if (children.size() > 2) {
            throw new SetError("found more than two generators, Matrix support only two");
        }
        var all = new ArrayList<Json.Obj>();
        for (var first : given(children.getFirst(), known, depth + 1)) {
            for (var second : given(children.getLast(), Template.merged(known, first), depth + 1)) {
                all.add(Template.merged(first, second));
                if (all.size() > MOST) {
                    throw new SetError("a matrix gives more than " + MOST + " applications");
                }
            }
        }
        return all;
    }

    /// What later generators say about the same keys goes over what the first one gives.
    private List<Json.Obj> merge(Json.Obj options, Json.Obj known, int depth) {
        var keys = options.array("mergeKeys").strings();
        if (keys.isEmpty()) {
            throw new SetError("no merge keys were specified, Merge requires at least one");
        }
        var children = children(options);
        var merged = byKeys(given(children.getFirst(), known, depth + 1), keys);
        for (var child : children.subList(1, children.size())) {
            byKeys(given(child, known, depth + 1), keys)
                    .forEach((key, params) ->
                            merged.computeIfPresent(key, (_, below) -> Template.merged(below, params)));
        }
        return List.copyOf(merged.values());
    }

    private static Map<List<String>, Json.Obj> byKeys(List<Json.Obj> all, List<String> keys) {
        var found = new LinkedHashMap<List<String>, Json.Obj>();
        for (var params : all) {
            var flat = Template.flat(params);
            var key = keys.stream().map(name -> flat.getOrDefault(name, "")).toList();
            if (found.put(key, params) != null) {
                throw new SetError(
                        "the parameters from a generator were not unique by the given mergeKeys, Merge requires"
                                + " all param sets to be unique. Duplicate key was " + key);
            }
        }
        return found;
    }
}
