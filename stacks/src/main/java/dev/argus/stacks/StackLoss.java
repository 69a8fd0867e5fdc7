package dev.argus.stacks;

/** Why a stack, or a part of one, was not taken. Each has a counter ({@link StackLosses}) and a sentence. */
public enum StackLoss {
    /** The callers differ between the two copies of one read, in every try. */
    CHANGING("callers changed while they were read, in every try"),
    /** A frame's fields cannot be those of a frame. */
    BROKEN_FRAME("a frame's owner, code or place of execution cannot be right"),
    /** Frames lead back to one that was there before. */
    LOOP("the frames form a loop"),
    /** A pointer leads to memory that is not mapped. */
    UNMAPPED("memory that should hold a frame was not mapped"),
    /** The code object at that address is another one than a moment before. */
    CODE_CHANGED("a code object was replaced while it was read"),
    /** Name, file or table of lines of a code object cannot be read. */
    BROKEN_CODE("a code object's name, file or lines cannot be read"),
    /** Generator frames or new memory, more than one sample follows. */
    TOO_SCATTERED("frames lie in more places than one sample reads"),
    /** The thread ended, or its record is used by another. */
    THREAD_GONE("the thread ended"),
    /** More threads than are looked at. */
    TOO_MANY_THREADS("threads beyond the bound are not looked at"),
    /** The list of threads changed while it was walked, or is none. */
    BROKEN_THREADS("the list of threads cannot be walked"),
    /** The process ended, or its pid is another process' now. */
    PROCESS_GONE("the process ended"),
    /** The system refused. */
    DENIED("the system does not allow to read the process"),
    /** There was no room for one more distinct stack. */
    NO_ROOM("the window has no room for one more distinct stack");

    private final String sentence;

    StackLoss(String sentence) {
        this.sentence = sentence;
    }

    /** {@return what happened, in one phrase} */
    public String sentence() {
        return sentence;
    }
}
