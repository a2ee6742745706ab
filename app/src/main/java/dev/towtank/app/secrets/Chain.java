package dev.towtank.app.secrets;

import dev.towtank.model.Json;
import java.util.List;

/// The links from where values are made to who uses them, in this order.
///
/// @param name of the ExternalSecret
public record Chain(String namespace, String name, List<Link> links) {

    public Chain {
        links = List.copyOf(links);
    }

    public boolean isWhole() {
        return links.stream().allMatch(Link::isWhole);
    }

    public Json.Obj json() {
        return Json.Obj.builder()
                .put("namespace", namespace)
                .put("name", name)
                .put("whole", isWhole())
                .put("links", Json.Arr.of(links.stream().map(Link::json).toArray(Json[]::new)))
                .build();
    }
}
