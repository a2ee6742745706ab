package dev.towtank.apiserver.view;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Params;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import dev.towtank.model.YamlText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Turns an answer into the text of the [Form] its client wants.
///
/// @param include for tables
public record Rendering(Form form, TableView.Include include, Instant now) {

    private static final byte[] FIRST_ITEM = {'{'};
    private static final byte[] NEXT_ITEM = {',', '{'};
    private static final byte[] END_OF_LIST = "]}\n".getBytes(StandardCharsets.US_ASCII);

    /// @throws StatusError BadRequest when a parameter of the form is wrong
    public static Rendering of(Form form, Params params, Instant now) {
        var include = form.shape() == Form.Shape.TABLE ? TableView.Include.of(params) : TableView.Include.METADATA;
        return new Rendering(form, include, now);
    }

    /// The same at another moment: ages in tables count from it.
    Rendering at(Instant moment) {
        return new Rendering(form, include, moment);
    }

    public Payload of(Answer.One one) {
        if (form.isStored() || one.kind().isEmpty()) {
            return form.isStored()
                    ? Payload.line(one.object().bytes())
                    : text(one.object().tree());
        }
        return text(shaped(one.kind().get(), one.object(), true));
    }

    public Payload of(Answer.Many many) {
        return switch (form.shape()) {
            case OBJECT, DISCOVERY -> form.isStored() ? joined(many) : text(tree(many));
            case TABLE -> text(tableOf(many.kind()).table(listMetadata(many), many.items(), true));
            case METADATA_LIST -> text(MetadataView.list(listMetadata(many), many.items(), form.version()));
            case METADATA ->
                throw new StatusError(
                        Reason.NOT_ACCEPTABLE,
                        "you requested PartialObjectMetadata, but the requested object is a list (" + listKind(many)
                                + ")");
        };
    }

    public Payload of(StatusError error) {
        return text(error.toJson());
    }

    /// Any other document, in the format but not the shape that was asked for.
    public Payload text(Json json) {
        return switch (form.format()) {
            case YAML -> Payload.of(YamlText.write(json));
            case JSON -> form.pretty() ? Payload.of(JsonText.pretty(json) + "\n") : Payload.of(json);
        };
    }

    Json.Obj shaped(Kind<?> kind, Content object, boolean withColumns) {
        return switch (form.shape()) {
            case OBJECT, DISCOVERY -> object.tree();
            case TABLE -> tableOf(kind).table(metadataOfOne(object), List.of(object), withColumns);
            case METADATA -> MetadataView.of(object.tree(), form.version());
            case METADATA_LIST ->
                throw new StatusError(
                        Reason.NOT_ACCEPTABLE,
                        "you requested PartialObjectMetadataList, but the requested object is not a list ("
                                + kind.kind() + ")");
        };
    }

    private TableView tableOf(Kind<?> kind) {
        return new TableView(kind, form.version(), include, now);
    }

    private static Json.Obj metadataOfOne(Content object) {
        return Json.Obj.builder()
                .putNonEmpty("resourceVersion", object.tree().string("metadata", "resourceVersion"))
                .build();
    }

    /// The stored bytes of all objects, one after the other.
    private static Payload joined(Answer.Many many) {
        var head = JsonText.write(Json.Obj.of(
                "kind", Json.of(listKind(many)),
                "apiVersion", Json.of(many.kind().apiVersion()),
                "metadata", objectListMetadata(many)));
        var begin = (head.substring(0, head.length() - 1) + ",\"items\":[").getBytes(StandardCharsets.UTF_8);
        List<ByteBuffer> pieces = new ArrayList<>(2 * many.items().size() + 2);
        pieces.add(ByteBuffer.wrap(begin));
        var types = ItemTypes.of(many.kind());
        for (int i = 0; i < many.items().size(); i++) {
            pieces.add(ByteBuffer.wrap(i == 0 ? FIRST_ITEM : NEXT_ITEM));
            pieces.add(types.behindTheBrace(many.items().get(i)));
        }
        pieces.add(ByteBuffer.wrap(END_OF_LIST));
        return new Payload(pieces);
    }

    private static Json.Obj tree(Answer.Many many) {
        return Json.Obj.builder()
                .put("kind", listKind(many))
                .put("apiVersion", many.kind().apiVersion())
                .put("metadata", objectListMetadata(many))
                .put(
                        "items",
                        new Json.Arr(many.items().stream()
                                .<Json>map(ItemTypes.of(many.kind())::without)
                                .toList()))
                .build();
    }

    private static String listKind(Answer.Many many) {
        return many.kind().kind() + "List";
    }

    /// Lists of custom kinds always say how they go on.
    private static Json.Obj objectListMetadata(Answer.Many many) {
        var metadata = listMetadata(many);
        return ItemTypes.of(many.kind()).areHidden()
                ? metadata
                : metadata.with("continue", Json.of(many.continueToken()));
    }

    private static Json.Obj listMetadata(Answer.Many many) {
        var builder = Json.Obj.builder()
                .put("resourceVersion", Long.toString(many.revision()))
                .putNonEmpty("continue", many.continueToken());
        many.remaining().ifPresent(count -> builder.put("remainingItemCount", count));
        return builder.build();
    }
}
