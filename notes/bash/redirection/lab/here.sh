name=Ann
cat <<EOF
$name \$name $(echo ran) $((1 + 1)) *
EOF
cat <<'EOF'
$name \$name $(echo ran) $((1 + 1)) *
EOF
cat <<-EOF
		tabs before $name are gone
	EOF
