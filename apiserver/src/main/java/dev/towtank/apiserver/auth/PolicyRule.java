package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.Target;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A rule of a Role, prepared for matching.
///
/// The lists keep the order in which they were written, for people; matching asks the sets beside them.
public final class PolicyRule {

    private static final String ALL = "*";

    private final List<String> verbs;
    private final List<String> groups;
    private final List<String> resources;
    private final List<String> names;
    private final List<String> urls;

    private final Set<String> verbSet;
    private final Set<String> groupSet;
    private final Set<String> resourceSet;
    private final Set<String> nameSet;
    private final boolean anyVerb;
    private final boolean anyGroup;
    private final boolean anyResource;

    public PolicyRule(
            List<String> verbs, List<String> groups, List<String> resources, List<String> names, List<String> urls) {
        this.verbs = List.copyOf(verbs);
        this.groups = List.copyOf(groups);
        this.resources = List.copyOf(resources);
        this.names = List.copyOf(names);
        this.urls = List.copyOf(urls);
        this.verbSet = Set.copyOf(verbs);
        this.groupSet = Set.copyOf(groups);
        this.resourceSet = Set.copyOf(resources);
        this.nameSet = Set.copyOf(names);
        this.anyVerb = verbSet.contains(ALL);
        this.anyGroup = groupSet.contains(ALL);
        this.anyResource = resourceSet.contains(ALL);
    }

    public static PolicyRule read(Json.Obj json) {
        return new PolicyRule(
                json.array("verbs").strings(),
                json.array("apiGroups").strings(),
                json.array("resources").strings(),
                json.array("resourceNames").strings(),
                json.array("nonResourceURLs").strings());
    }

    public static List<PolicyRule> readAll(Json.Obj role) {
        return role.objects("rules").stream().map(PolicyRule::read).toList();
    }

    public Json.Obj json() {
        return Json.Obj.builder()
                .put("verbs", Json.Arr.ofStrings(verbs))
                .putNonEmpty("apiGroups", Json.Arr.ofStrings(groups))
                .putNonEmpty("resources", Json.Arr.ofStrings(resources))
                .putNonEmpty("resourceNames", Json.Arr.ofStrings(names))
                .putNonEmpty("nonResourceURLs", Json.Arr.ofStrings(urls))
                .build();
    }

    public List<String> verbs() {
        return verbs;
    }

    public List<String> groups() {
        return groups;
    }

    public List<String> resources() {
        return resources;
    }

    public List<String> names() {
        return names;
    }

    public List<String> urls() {
        return urls;
    }

    boolean allows(String verb, Target target) {
        // The resource first: most rules are about another one.
        return allowsResource(target.resource(), target.subresource())
                && (anyVerb || verbSet.contains(verb))
                && (anyGroup || groupSet.contains(target.group()))
                && (nameSet.isEmpty() || nameSet.contains(target.name()));
    }

    private boolean allowsResource(String resource, String subresource) {
        if (anyResource) {
            return true;
        }
        return subresource.isEmpty()
                ? resourceSet.contains(resource)
                : resourceSet.contains(resource + "/" + subresource) || resourceSet.contains("*/" + subresource);
    }

    boolean allowsPath(String verb, String path) {
        return (anyVerb || verbSet.contains(verb)) && urls.stream().anyMatch(url -> matches(url, path));
    }

    private static boolean matches(String url, String path) {
        return url.equals(path) || (url.endsWith(ALL) && path.startsWith(url.substring(0, url.length() - 1)));
    }

    /// Whether every attempt that the other rule allows is allowed here. The other one is atomic: see [#parts].
    private boolean covers(PolicyRule atom) {
        if (!anyVerb && !verbSet.containsAll(atom.verbs)) {
            return false;
        }
        if (!atom.urls.isEmpty()) {
            return atom.urls.stream().allMatch(this::coversUrl);
        }
        return (anyGroup || groupSet.containsAll(atom.groups))
                && (anyResource || atom.resources.stream().allMatch(this::coversResource))
                && (nameSet.isEmpty() || (!atom.names.isEmpty() && nameSet.containsAll(atom.names)));
    }

    private boolean coversResource(String resource) {
        int slash = resource.indexOf('/');
        return resourceSet.contains(resource) || (slash >= 0 && resourceSet.contains("*" + resource.substring(slash)));
    }

    private boolean coversUrl(String other) {
        return urls.stream().anyMatch(url -> matches(url, other));
    }

    /// The rule taken apart into rules of one verb, one group, one resource and at most one name each.
    List<PolicyRule> parts() {
        var parts = new ArrayList<PolicyRule>();
        var eachName = names.isEmpty()
                ? List.of(List.<String>of())
                : names.stream().map(List::of).toList();
        for (var group : groups) {
            for (var resource : resources) {
                for (var verb : verbs) {
                    for (var name : eachName) {
                        parts.add(new PolicyRule(List.of(verb), List.of(group), List.of(resource), name, List.of()));
                    }
                }
            }
        }
        for (var url : urls) {
            for (var verb : verbs) {
                parts.add(new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(url)));
            }
        }
        return parts;
    }

    /// What the wanted rules allow and the owned ones do not, in parts.
    static List<PolicyRule> missing(List<PolicyRule> owned, List<PolicyRule> wanted) {
        return wanted.stream()
                .flatMap(rule -> rule.parts().stream())
                .filter(part -> owned.stream().noneMatch(rule -> rule.covers(part)))
                .toList();
    }

    @Override
    public String toString() {
        return json().toString();
    }
}
