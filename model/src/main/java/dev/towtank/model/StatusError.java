package dev.towtank.model;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A request that the API refuses, as the `Status` object that Kubernetes answers with.
///
/// Thrown where it is found and turned into an answer in one place. It is about the request, not about our code, so it
/// carries no stack trace.
public final class StatusError extends RuntimeException {

    private static final long serialVersionUID = 1;

    /// Kubernetes' machine-readable reasons, with the HTTP code that goes with each.
    public enum Reason {
        BAD_REQUEST("BadRequest", 400),
        UNAUTHORIZED("Unauthorized", 401),
        FORBIDDEN("Forbidden", 403),
        NOT_FOUND("NotFound", 404),
        METHOD_NOT_ALLOWED("MethodNotAllowed", 405),
        NOT_ACCEPTABLE("NotAcceptable", 406),
        ALREADY_EXISTS("AlreadyExists", 409),
        CONFLICT("Conflict", 409),
        GONE("Gone", 410),
        EXPIRED("Expired", 410),
        REQUEST_TOO_LARGE("RequestEntityTooLarge", 413),
        UNSUPPORTED_MEDIA_TYPE("UnsupportedMediaType", 415),
        INVALID("Invalid", 422),
        TOO_MANY_REQUESTS("TooManyRequests", 429),
        INTERNAL_ERROR("InternalError", 500),
        SERVER_TIMEOUT("ServerTimeout", 500),
        /// A failure that nobody gave a reason to, as Kubernetes shows those of webhooks that convert.
        UNKNOWN("", 500),
        SERVICE_UNAVAILABLE("ServiceUnavailable", 503),
        TIMEOUT("Timeout", 504);

        private final String wire;
        private final int code;

        Reason(String wire, int code) {
            this.wire = wire;
            this.code = code;
        }

        public String wire() {
            return wire;
        }

        public int code() {
            return code;
        }
    }

    private static final String NO_PAGE = "404 page not found";
    private static final int LONGEST_MESSAGE = 32 * 1024;

    private final Reason reason;
    // Json is immutable but not Serializable; nobody serialises exceptions here.
    private final transient Json.Obj details;
    private final transient Json.Obj metadata;
    // Where somebody else decided: their own word for the reason, and their code.
    private final String wire;
    private final int code;
    private final boolean showsDetails;

    private StatusError(Reason reason, String message, Json.Obj details, Json.Obj metadata) {
        this(reason, reason.wire, reason.code, message, details, metadata, details.size() > 0);
    }

    private StatusError(
            Reason reason,
            String wire,
            int code,
            String message,
            Json.Obj details,
            Json.Obj metadata,
            boolean showsDetails) {
        super(bounded(message), null, false, false);
        this.reason = reason;
        this.details = details;
        this.metadata = metadata;
        this.wire = wire;
        this.code = code;
        this.showsDetails = showsDetails;
    }

    /// A refusal must not send back what was too much already.
    private static String bounded(String message) {
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "...";
    }

    public StatusError(Reason reason, String message, Json.Obj details) {
        this(reason, message, details, Json.Obj.EMPTY);
    }

    public StatusError(Reason reason, String message) {
        this(reason, message, Json.Obj.EMPTY);
    }

    public Reason reason() {
        return reason;
    }

    public int code() {
        return code;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    public Json.Obj details() {
        return details;
    }

    public boolean is(Reason other) {
        return reason == other;
    }

    /// How long the client should wait before it tries again, or 0.
    public long retryAfterSeconds() {
        return details.integer("retryAfterSeconds");
    }

    public Json.Obj toJson() {
        var builder = Json.Obj.builder()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("metadata", metadata)
                .put("status", "Failure")
                .put("message", text())
                .putNonEmpty("reason", wire);
        if (showsDetails) {
            builder.put("details", details);
        }
        return builder.put("code", code).build();
    }

    /// A refusal that somebody else decided, with their code and their own word for the reason.
    ///
    /// @param wire may be a reason that Kubernetes does not know, or empty
    public static StatusError relayed(int code, String wire, String message, Json.Obj details) {
        var reason = Stream.of(Reason.values())
                .filter(each -> !wire.isEmpty() && each.wire.equals(wire))
                .findFirst()
                .or(() -> Stream.of(Reason.values())
                        .filter(each -> each.code == code)
                        .findFirst())
                .orElse(code >= 500 ? Reason.INTERNAL_ERROR : Reason.BAD_REQUEST);
        return new StatusError(reason, wire, code, message, details, Json.Obj.EMPTY, details.size() > 0);
    }

    /// There is nothing at the address. Refusals of addresses have details that say nothing.
    public static StatusError notServed() {
        return ofAddress(Reason.NOT_FOUND, "the server could not find the requested resource");
    }

    /// There is nothing that speaks of objects at the address: a plain text says so.
    public static StatusError noPage() {
        return new StatusError(Reason.NOT_FOUND, NO_PAGE);
    }

    /// Whether the answer is a text instead of an object.
    public boolean isPage() {
        return reason == Reason.NOT_FOUND && text().equals(NO_PAGE);
    }

    /// There is something at the address, but nothing to do this to.
    public static StatusError notAllowedThere() {
        return ofAddress(Reason.METHOD_NOT_ALLOWED, "the server does not allow this method on the requested resource");
    }

    private static StatusError ofAddress(Reason reason, String message) {
        return new StatusError(reason, reason.wire, reason.code, message, Json.Obj.EMPTY, Json.Obj.EMPTY, true);
    }

    public static StatusError notFound(GroupResource resource, String name) {
        return new StatusError(Reason.NOT_FOUND, resource + " \"" + name + "\" not found", about(resource, name));
    }

    public static StatusError alreadyExists(GroupResource resource, String name) {
        return new StatusError(
                Reason.ALREADY_EXISTS, resource + " \"" + name + "\" already exists", about(resource, name));
    }

    public static StatusError conflict(GroupResource resource, String name, String why) {
        return new StatusError(
                Reason.CONFLICT,
                "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + why,
                about(resource, name));
    }

    /// Somebody else wrote in between.
    public static StatusError modified(GroupResource resource, String name) {
        return conflict(
                resource,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    public static StatusError forbidden(GroupResource resource, String name, String why) {
        var subject = resource.resource().isEmpty()
                ? "forbidden"
                : name.isEmpty() ? resource + " is forbidden" : resource + " \"" + name + "\" is forbidden";
        return new StatusError(Reason.FORBIDDEN, subject + ": " + why, about(resource, name));
    }

    public static StatusError badRequest(String message) {
        return new StatusError(Reason.BAD_REQUEST, message);
    }

    public static StatusError methodNotSupported(GroupResource resource, String action) {
        return new StatusError(
                Reason.METHOD_NOT_ALLOWED,
                action + " is not supported on resources of kind \"" + resource + "\"",
                about(resource, ""));
    }

    /// A page of a list that can no longer be had; the token goes on from there without a promise of consistency.
    public static StatusError expiredContinue(String message, String continueToken) {
        return new StatusError(
                Reason.EXPIRED, message, Json.Obj.EMPTY, Json.Obj.of("continue", Json.of(continueToken)));
    }

    public static StatusError expired(String message) {
        return new StatusError(Reason.EXPIRED, message);
    }

    /// The revision a watch or list asks for is no longer kept.
    public static StatusError tooOld(long asked, long oldest) {
        return new StatusError(Reason.EXPIRED, "too old resource version: " + asked + " (" + oldest + ")");
    }

    public static StatusError unauthorized() {
        return new StatusError(Reason.UNAUTHORIZED, "Unauthorized");
    }

    public static StatusError tooLarge(long limit) {
        return new StatusError(Reason.REQUEST_TOO_LARGE, "Request entity too large: limit is " + limit);
    }

    public static StatusError internal(String why) {
        return new StatusError(
                Reason.INTERNAL_ERROR,
                "Internal error occurred: " + why,
                Json.Obj.of("causes", Json.Arr.of(Json.Obj.of("message", Json.of(why)))));
    }

    /// What is wrong with the object itself, field by field.
    public static StatusError invalid(Kind<?> kind, String name, List<FieldError> errors) {
        return invalid(kind.group(), kind.kind(), name, errors);
    }

    public static StatusError invalid(String group, String kind, String name, List<FieldError> errors) {
        var texts = errors.stream().map(FieldError::message).distinct().toList();
        var all = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
        var causes = errors.stream()
                .<Json>map(error -> Json.Obj.of(
                        "reason", Json.of(error.type().reason()),
                        "message", Json.of(error.body()),
                        "field", Json.of(error.path().isEmpty() ? "<nil>" : error.path())))
                .collect(Collectors.toList());
        var details = Json.Obj.builder()
                .putNonEmpty("name", name)
                .putNonEmpty("group", group)
                .putNonEmpty("kind", kind)
                .put("causes", new Json.Arr(causes))
                .build();
        var qualified = group.isEmpty() ? kind : kind + "." + group;
        return new StatusError(Reason.INVALID, qualified + " \"" + name + "\" is invalid: " + all, details);
    }

    private static Json.Obj about(GroupResource resource, String name) {
        return Json.Obj.builder()
                .putNonEmpty("name", name)
                .putNonEmpty("group", resource.group())
                .putNonEmpty("kind", resource.resource())
                .build();
    }
}
