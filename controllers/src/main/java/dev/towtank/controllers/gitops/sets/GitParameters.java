package dev.towtank.controllers.gitops.sets;

import dev.towtank.controllers.gitops.rendering.Listing;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/// What a git generator gives for the directories or files that it finds.
final class GitParameters {

    private static final int LONGEST_NAME = 253;

    private GitParameters() {}

    static List<Json.Obj> of(Json.Obj options, Listing listing, Template template) {
        var all = new ArrayList<Json.Obj>();
        var prefix = options.string("pathParamPrefix");
        for (var directory : listing.directories()) {
            all.add(SetGenerators.withValues(options, placed(Json.Obj.EMPTY, path(directory), prefix), template));
        }
        new TreeMap<>(listing.files()).forEach((file, text) -> {
            for (var object : objects(file, text)) {
                all.add(SetGenerators.withValues(options, placed(object, ofFile(file), prefix), template));
            }
        });
        return all;
    }

    private static Json.Obj placed(Json.Obj params, Json.Obj path, String prefix) {
        return prefix.isEmpty()
                ? params.with("path", path)
                : Template.merged(params, Json.Obj.of(prefix, Json.Obj.of("path", path)));
    }

    private static List<Json.Obj> objects(String file, String text) {
        var all = new ArrayList<Json.Obj>();
        for (var document : Template.documents(file, text)) {
            switch (document) {
                case Json.Obj object -> all.add(object);
                case Json.Arr list -> all.addAll(list.objects());
                case Json _ -> throw new SetError("unable to parse file " + file + ": it holds no object");
            }
        }
        return all;
    }

    /// Go templates know `.path.path` and `.path.segments`; the others `path`, `path.path` and `path[0]`.
    private static Json.Obj path(String directory) {
        int slash = directory.lastIndexOf('/');
        var name = directory.substring(slash + 1);
        return Json.Obj.builder()
                .put("path", directory)
                .put("basename", name)
                .put("basenameNormalized", normalized(name))
                .put("segments", Json.Arr.ofStrings(List.of(directory.split("/", -1))))
                .build();
    }

    private static Json.Obj ofFile(String file) {
        int slash = file.lastIndexOf('/');
        var name = file.substring(slash + 1);
        return path(slash < 0 ? "." : file.substring(0, slash))
                .with("filename", Json.of(name))
                .with("filenameNormalized", Json.of(normalized(name)));
    }

    static String normalized(String text) {
        var name = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
        name = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
        return name.replaceAll("^[-.]+|[-.]+$", "");
    }
}
