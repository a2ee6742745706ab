package dev.towtank.node.images;

import java.util.OptionalLong;

/// What a container of an image would run on, told before any is started.
public sealed interface Outlook {

    /// The image itself, which is here.
    record Here() implements Outlook {}

    /// The image itself, which its registry has.
    ///
    /// @param bytes of its layers as they are packed, where it says so
    record Comes(OptionalLong bytes) implements Outlook {}

    /// Programs of this machine.
    ///
    /// @param hasSmallTools whether the image would have the small tools of busybox, which this machine's are not
    record StandIn(boolean hasSmallTools) implements Outlook {}

    /// Nothing.
    ///
    /// @param why with what to do about it
    /// @param mayBeMapped whether an entry in the image map would help
    record Missing(String why, boolean mayBeMapped) implements Outlook {}

    static Outlook of(ImageMap.Lookup lookup) {
        return switch (lookup) {
            case ImageMap.Lookup.Found(var image) ->
                switch (image.root()) {
                    case Image.Root.Host _, Image.Root.Directory _ ->
                        new StandIn(image.root() instanceof Image.Root.Host && image.shell() == Image.Shell.BUSYBOX);
                    case Image.Root.Layers _, Image.Root.Engine _ -> new Here();
                };
            case ImageMap.Lookup.Pulling _ -> new Comes(OptionalLong.empty());
            case ImageMap.Lookup.NotFound(var reason, var message) ->
                new Missing(message, reason.equals("ErrImagePull"));
        };
    }
}
