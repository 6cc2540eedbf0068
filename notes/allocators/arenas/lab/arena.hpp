// An arena of its own: blocks, a pointer that moves forward, and nothing for a single object.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>

class Arena {
public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena()
    {
        while (first) {
            Block* next = first->next;
            std::free(first);
            first = next;
        }
    }

    void* take(std::size_t bytes, std::size_t alignment)
    {
        std::uintptr_t start = (at + alignment - 1) & ~(alignment - 1);
        if (start + bytes > end) {
            more(bytes + alignment);
            start = (at + alignment - 1) & ~(alignment - 1);
        }
        at = start + bytes;
        return reinterpret_cast<void*>(start);
    }

    void reset() // keeps the blocks for the next round
    {
        current = first;
        use(first);
    }

    std::size_t held = 0;   // bytes asked of malloc
    std::size_t blocks = 0; // how often

private:
    struct Block {
        Block* next;
        std::size_t size;
    };
    static constexpr std::size_t usual = std::size_t{64} << 10;

    void use(Block* block)
    {
        at = block ? reinterpret_cast<std::uintptr_t>(block + 1) : 0;
        end = block ? reinterpret_cast<std::uintptr_t>(block) + block->size : 0;
    }

    [[gnu::noinline]] void more(std::size_t bytes)
    {
        while (current && current->next) { // blocks that a reset left
            current = current->next;
            use(current);
            if (end - at >= bytes)
                return;
        }
        const std::size_t size = bytes + sizeof(Block) > usual ? bytes + sizeof(Block) : usual;
        auto* block = static_cast<Block*>(std::malloc(size));
        if (!block)
            std::abort();
        *block = {nullptr, size};
        (current ? current->next : first) = block;
        current = block;
        held += size;
        ++blocks;
        use(block);
    }

    Block* first = nullptr;
    Block* current = nullptr;
    std::uintptr_t at = 0, end = 0;
};
