package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.regex.Pattern;

/// `images`: other names, tags and digests for what runs.
final class ImageNames {

    private static final Pattern IN_CONTAINERS = Pattern.compile("(?i)containers/image$");

    private ImageNames() {}

    /// Every container, in whatever kind it stands, and where a configuration knows of more.
    static Item replace(Item item, Json.Obj image, Configuration more) {
        var containers = containers(item, image);
        var object = containers.object();
        for (var place : more.at("images")) {
            if (place.isIn(item.id()) && !IN_CONTAINERS.matcher(place.path()).find()) {
                object = FieldPaths.change(
                        object,
                        FieldPaths.split(place.path()),
                        place.create(),
                        value -> value instanceof Json.Str(var name) ? Json.of(replaced(name, image)) : value);
            }
        }
        return containers.with(object);
    }

    private static Item containers(Item item, Json.Obj image) {
        return item.with((Json.Obj) FieldPaths.everywhere(item.object(), object -> {
            var changed = object;
            for (var list : new String[] {"containers", "initContainers"}) {
                if (changed.get(list) instanceof Json.Arr containers) {
                    changed = changed.with(list, containers.map(container -> container(container, image)));
                }
            }
            return changed;
        }));
    }

    private static Json container(Json container, Json.Obj image) {
        return container instanceof Json.Obj fields && fields.get("image") instanceof Json.Str(var name)
                ? fields.with("image", Json.of(replaced(name, image)))
                : container;
    }

    private static String replaced(String current, Json.Obj image) {
        int at = current.indexOf('@');
        var digest = at < 0 ? "" : current.substring(at);
        var named = at < 0 ? current : current.substring(0, at);
        // A colon before a slash belongs to the port of the registry.
        int colon = named.indexOf(':', named.lastIndexOf('/') + 1);
        var tag = colon < 0 ? "" : named.substring(colon);
        var name = colon < 0 ? named : named.substring(0, colon);
        if (!name.equals(image.string("name"))) {
            return current;
        }
        var newName = image.string("newName").isEmpty() ? name : image.string("newName");
        var newTag = image.get("newTag") == null ? "" : image.get("newTag").display();
        var newDigest = image.string("digest");
        if (!newTag.isEmpty() && !newDigest.isEmpty()) {
            return newName + ":" + newTag + "@" + newDigest;
        }
        if (!newTag.isEmpty()) {
            return newName + ":" + newTag;
        }
        if (!newDigest.isEmpty()) {
            return newName + "@" + newDigest;
        }
        var suffix = image.string("tagSuffix");
        return suffix.isEmpty() || tag.isEmpty() ? newName + tag + digest : newName + tag + suffix;
    }
}
