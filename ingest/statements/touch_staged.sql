UPDATE staged SET touched = max(touched, :touched), source = min(source, :source) WHERE id = :id
