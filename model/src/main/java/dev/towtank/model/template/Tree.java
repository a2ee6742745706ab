package dev.towtank.model.template;

/// A template that was parsed: its name, and what to do.
record Tree(String name, TemplateText source, Node.Sequence root) {

    /// True when there is nothing but space in it. Such a one never replaces another of the same name.
    boolean isEmpty() {
        return root.statements().stream()
                .allMatch(each -> each instanceof Node.Text(var _, var text) && text.isBlank());
    }
}
