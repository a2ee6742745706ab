package dev.towtank.controllers.secrets;

/// What came of a look at a store.
sealed interface StoreFinding {

    record Valid() implements StoreFinding {}

    /// Somebody else's controller looks after it.
    record NotOurs() implements StoreFinding {}

    /// An answer is still on its way.
    record Awaited() implements StoreFinding {}

    /// It could not be found out.
    record Unknown(String cause) implements StoreFinding {}

    /// What it says is not enough to read anything.
    record NoClient(String cause) implements StoreFinding {}

    /// It may not read.
    record Invalid(String cause) implements StoreFinding {}
}
